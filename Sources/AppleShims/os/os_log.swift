// swift-format-ignore: AlwaysUseLowerCamelCase
/// Writes a line, with values in the places of `%@`, `%d`, `%{public}s` and the like.
public func os_log(
    _ message: StaticString, log: OSLog = .default, type: OSLogType = .default, _ args: Any...
) {
    log.write(type, FormattedLine.text("\(message)", args))
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Writes a line with interpolated values.
@_disfavoredOverload
public func os_log(_ type: OSLogType = .default, log: OSLog = .default, _ message: OSLogMessage) {
    log.write(type, message.text)
}
