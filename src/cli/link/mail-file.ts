import { open } from 'node:fs/promises'
import { OperatorError } from '../../lib/operator-error.ts'

/** Mail programs truncate far smaller mails. */
const mailBytesMax = 10 * 1024 * 1024

/** The HTML of a mail. */
export async function readMail(file: string): Promise<string> {
  const bytes = await readWithin(file).catch((error: Error) => refuse(file, error.message))
  if (bytes === null) return refuse(file, `it has more than ${mailBytesMax} bytes`)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return refuse(file, 'it is not UTF-8 text')
  }
}

async function readWithin(file: string): Promise<Uint8Array | null> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    return size > mailBytesMax ? null : await handle.readFile()
  } finally {
    await handle.close()
  }
}

function refuse(file: string, reason: string): never {
  throw new OperatorError(`The email ${file} cannot be read: ${reason}. Name an HTML file in UTF-8.`)
}
