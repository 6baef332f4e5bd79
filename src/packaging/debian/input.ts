/** The parts of a Debian package. */
export interface DebianInput {
  version: string
  architecture: 'amd64' | 'arm64'
  /** `NAME <ADDRESS>` */
  maintainer: string
  executable: Uint8Array
  /** Texts of the project to include. */
  licence: string
  notices: string
  readme: string
  changes: string
  madeAtSeconds: number
}

/** Debian sorts `~` first, so that a pre-release precedes its release. */
export const debianVersion = (version: string): string => version.replace('-', '~')
