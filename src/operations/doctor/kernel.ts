import { type CheckResult, ok } from './check-result.ts'
import type { Inspection } from './inspection.ts'

const setting = 'net.ipv4.tcp_migrate_req'

/**
 * Checks whether the kernel migrates pending handshakes to the listener that replaces another (docs/decisions/0033). Never a
 * warning: under normal load almost none are pending, browsers retry, and in a container the host decides.
 */
export async function examineKernel({ kernelSetting }: Pick<Inspection, 'kernelSetting'>): Promise<CheckResult> {
  const value = await kernelSetting(setting)
  if (value === '1') return ok('kernel', 'A change of certificates resets no connection.')
  if (value === null) return ok('kernel', `It does not have ${setting}: ${losses}.`)
  return {
    ...ok('kernel', `${setting} is ${value}: ${losses}.`),
    advice: `echo '${setting} = 1' | sudo tee /etc/sysctl.d/60-capture.conf && sudo sysctl -p /etc/sysctl.d/60-capture.conf`,
  }
}

const losses = 'on a very busy box a change of certificates resets connections that are just being made'
