import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { $ } from 'bun'
import { benchSite } from './site.ts'

/** One certificate and its key, PEM, used for each of the names. */
export interface BenchPairs {
  certificate: string
  key: string
  names: string[]
}

/** ECDSA P-256, self-signed. @param count how many names have it; the first is the account's under load */
export async function makePairs(folder: string, count: number): Promise<BenchPairs> {
  await mkdir(folder, { recursive: true })
  const [certificate, key] = [join(folder, 'pair.crt'), join(folder, 'pair.key')]
  const names = `subjectAltName=DNS:${benchSite.host},DNS:*.${benchSite.host}`
  await $`openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -keyout ${key} -out ${certificate} -subj /CN=bench -addext ${names}`.quiet()
  return {
    certificate: await Bun.file(certificate).text(),
    key: await Bun.file(key).text(),
    names: [benchSite.host, ...Array.from({ length: count - 1 }, (_, number) => `name-${number}.${benchSite.host}`)],
  }
}

/** Each name's pair as `[https] mode = "files"` wants it. */
export async function writePairs(folder: string, { certificate, key, names }: BenchPairs): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const name of names) {
    await Bun.write(join(folder, `${name}.crt`), certificate)
    await Bun.write(join(folder, `${name}.key`), key)
  }
}
