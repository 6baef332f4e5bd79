import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { PairText } from '../../https/certificate-pair.ts'
import type { CertificateSource } from '../../https/certificates.ts'

/** More than a chain of ten certificates with RSA keys of 4096 bits. */
const fileBytesMax = 65_536

/** Certificates that others put into a folder: `NAME.crt`, the whole chain, and `NAME.key`. */
export class CertificateFolder implements CertificateSource {
  constructor(private readonly folder: string) {}

  /** The host's own pair, else one for all names beside it: `_.` in place of its first label. */
  async read(host: string): Promise<PairText | { fault: string } | null> {
    return (await this.pair(host)) ?? this.pair(host.replace(/^[^.]+/, '_'))
  }

  private async pair(host: string): Promise<PairText | { fault: string } | null> {
    const [certificate, key] = await Promise.all([this.text(`${host}.crt`), this.text(`${host}.key`)])
    if (certificate === null && key === null) return null
    if (certificate === null) return { fault: `${host}.key is there and ${host}.crt is not` }
    if (key === null) return { fault: `${host}.crt is there and ${host}.key is not` }
    if (typeof certificate !== 'string') return certificate
    return typeof key === 'string' ? { certificate, key } : key
  }

  /** `null`: no such file. */
  private async text(name: string): Promise<string | { fault: string } | null> {
    try {
      // Without O_NONBLOCK, opening a pipe waits until somebody writes into it.
      await using file = await open(join(this.folder, name), constants.O_RDONLY | constants.O_NONBLOCK)
      if (!(await file.stat()).isFile()) return { fault: `${name} is not a regular file` }
      const { buffer, bytesRead } = await file.read(Buffer.alloc(fileBytesMax + 1))
      if (bytesRead > fileBytesMax) return { fault: `${name} is larger than ${fileBytesMax} bytes` }
      // Editors on Windows write a byte order mark, which is not part of PEM.
      return buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF/, '')
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      return code === 'ENOENT' ? null : { fault: `${name} cannot be read (${code ?? message})` }
    }
  }
}
