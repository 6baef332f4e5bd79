import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PairText } from '../../../src/https/certificate-pair.ts'
import { makeCertificate } from '../../harness/certificates.ts'
import { BinaryBox, type BoxOptions } from './binary-box.ts'
import type { RunningServer } from './program.ts'

/** A box that serves https on free ports of the loopback interface, with certificates for these hosts. */
export async function secureBox(hosts: string[], { https, ...options }: BoxOptions = {}): Promise<BinaryBox> {
  const listeners = { listen: '127.0.0.1:0', http_listen: '127.0.0.1:0' }
  const box = await BinaryBox.make({ ...options, https: { mode: 'files', ...listeners, ...https } })
  for (const host of hosts) putCertificate(box, host, makeCertificate(host))
  return box
}

/** Puts a pair into the box's folder, each file whole. */
export function putCertificate(box: BinaryBox, host: string, { certificate, key }: PairText): void {
  const folder = join(box.dir, 'certificates')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of [
    [`${host}.crt`, certificate],
    [`${host}.key`, key],
  ] as const) {
    writeFileSync(join(folder, `${name}.new`), text)
    renameSync(join(folder, `${name}.new`), join(folder, name))
  }
}

export const takeCertificate = (box: BinaryBox, host: string): void =>
  ['crt', 'key'].forEach((kind) => {
    rmSync(join(box.dir, 'certificates', `${host}.${kind}`))
  })

export interface SecurePorts {
  https: number
  http: number
}

/** The ports that were bound; both are said before the service says that it listens. */
export function securePorts({ stderr }: RunningServer): SecurePorts {
  const bound = (message: string) => Number(new RegExp(`"${message}".*?"port":(\\d+)`).exec(stderr)?.[1])
  return { https: bound('Listening for https\\.'), http: bound('Listening for http beside it\\.') }
}
