/**
 * The path of a package's executable, which only the package manager may replace. Packages never install below /usr/local.
 */
export const packagedExecutable = '/usr/bin/capture'
