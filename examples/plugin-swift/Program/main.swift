import MailHandlers
import Plugins

// Where the type is in the program itself, `@main` in front of it does this.
Mail.main()
