import { join } from 'node:path'

export const unitName = 'capture.service'
export const defaultUser = 'capture'

/** The service's files and folders, as paths inside the tree (docs/systemd.md). */
export const places = {
  executable: '/usr/local/bin/capture',
  configFolder: '/etc/capture',
  config: '/etc/capture/capture.toml',
  data: '/var/lib/capture',
  unit: `/etc/systemd/system/${unitName}`,
  sysctl: '/etc/sysctl.d/60-capture.conf',
  /** Only for the tree of an image, whose users are created at its first boot. */
  sysusers: '/etc/sysusers.d/capture.conf',
  tmpfiles: '/etc/tmpfiles.d/capture.conf',
} as const

/** The same paths below a tree. */
export const below = (root: string, place: string): string => join(root, place)
