import { join } from 'node:path'

export const unitName = 'capture.service'
export const defaultUser = 'capture'

/** Where the service lives, as it sees it itself (contract-box section 11). */
export const places = {
  executable: '/usr/local/bin/capture',
  configFolder: '/etc/capture',
  config: '/etc/capture/capture.toml',
  data: '/var/lib/capture',
  unit: `/etc/systemd/system/${unitName}`,
  sysctl: '/etc/sysctl.d/60-capture.conf',
  /** For the tree of an image alone, whose users are made when it first boots. */
  sysusers: '/etc/sysusers.d/capture.conf',
  tmpfiles: '/etc/tmpfiles.d/capture.conf',
} as const

/** The same below the folder that is to become a machine's root. */
export const below = (root: string, place: string): string => join(root, place)
