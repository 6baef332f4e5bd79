/**
 * Where a package manager puts the executable. One that lies here is replaced by that package manager alone; the folder
 * /usr/local is never a package's.
 */
export const packagedExecutable = '/usr/bin/capture'
