/** What a Debian package is made of. */
export interface DebianInput {
  version: string
  architecture: 'amd64' | 'arm64'
  /** `NAME <ADDRESS>` */
  maintainer: string
  executable: Uint8Array
  /** Texts of the project that come along. */
  licence: string
  readme: string
  changes: string
  madeAtSeconds: number
}

/** Debian sorts `~` before everything, so that a pre-release comes before its release. */
export const debianVersion = (version: string): string => version.replace('-', '~')
