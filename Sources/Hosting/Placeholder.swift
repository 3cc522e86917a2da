enum HostingPlaceholder {}
