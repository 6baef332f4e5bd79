import { readFileSync } from 'node:fs'
import { type Finding, ok } from './finding.ts'

const setting = 'net.ipv4.tcp_migrate_req'

/**
 * Whether a listener that is replaced by another passes on the handshakes that wait for it (docs/decisions/0033). A note:
 * at ordinary load next to none wait, browsers try again, and in a container it is the host that decides.
 */
export function examineKernel(file = `/proc/sys/${setting.replaceAll('.', '/')}`): Finding {
  const value = settingIn(file)
  if (value === '1') return ok('kernel', 'A change of certificates resets no connection.')
  if (value === null) return ok('kernel', `It does not have ${setting}: ${losses}.`)
  return {
    ...ok('kernel', `${setting} is ${value}: ${losses}.`),
    advice: `echo '${setting} = 1' | sudo tee /etc/sysctl.d/60-capture.conf && sudo sysctl -p /etc/sysctl.d/60-capture.conf`,
  }
}

const losses = 'on a very busy box a change of certificates resets connections that are just being made'

/** `null`: the kernel does not have it, or does not show it. */
function settingIn(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}
