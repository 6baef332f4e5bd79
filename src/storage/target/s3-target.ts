import { S3Client } from 'bun'
import { type BackupTarget, objectBytesMax, type StoredObject, TargetFault } from '../../backup/target/backup-target.ts'
import { connectionFault } from '../../lib/exchange.ts'

interface S3Place {
  /** `s3://BUCKET/PREFIX`, as configured. */
  url: string
  /** `null`: AWS. */
  endpoint: string | null
  region: string
  accessKey: string
  secretKey: string
}

/** Until an answer begins, for a request without a body. `backup now` ends within 30 s even behind a service that waits as long. */
const answerMsMax = 12_000
/** The slowest useful line takes two minutes for the largest object, in either direction. */
const bytesPerMsMin = objectBytesMax / 120_000
/** Signed addresses are used at once. */
const signatureSeconds = 600

/**
 * An S3 bucket, or a folder in one.
 *
 * Bun's client signs addresses, and `fetch` makes the requests: it can be timed out, returns the status, and sends
 * `If-None-Match`, which Bun's client cannot. Objects are always put whole, because Bun's client completes a multipart
 * upload even if it is abandoned.
 */
export class S3Target implements BackupTarget {
  readonly url: string
  private readonly client: S3Client
  /** Ends in a slash, unless empty. */
  private readonly prefix: string

  constructor({ url, endpoint, region, accessKey, secretKey }: S3Place) {
    this.url = url
    const [bucket = '', ...folders] = url.slice('s3://'.length).split('/')
    this.prefix = folders.map((folder) => `${folder}/`).join('')
    this.client = new S3Client({
      bucket,
      region,
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
    })
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.exchange('PUT', name, { body: new Uint8Array(bytes) })
  }

  async putNew(name: string, bytes: Uint8Array): Promise<boolean> {
    const headers = { 'If-None-Match': '*' }
    const { status } = await this.exchange('PUT', name, { body: new Uint8Array(bytes), headers, expected: [412, 409] })
    return status < 300
  }

  async get(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const { status, bytes } = await this.exchange('GET', name, { expected: [404] })
    return status === 404 ? null : bytes
  }

  async *list(folder: string, after = ''): AsyncGenerator<StoredObject> {
    const prefix = this.prefix + folder
    let startAfter = after === '' ? undefined : this.prefix + after
    for (;;) {
      const page = await this.page({ prefix, startAfter })
      for (const { key, size, lastModified } of page.contents ?? [])
        yield { name: key.slice(this.prefix.length), bytes: size ?? 0, at: Date.parse(lastModified ?? '') || 0 }
      const last = page.contents?.at(-1)?.key
      if (page.isTruncated !== true || last === undefined) return
      startAfter = last
    }
  }

  async delete(name: string): Promise<void> {
    await this.exchange('DELETE', name, { expected: [404] })
  }

  private async page(wanted: { prefix: string; startAfter: string | undefined }) {
    const { prefix, startAfter } = wanted
    const asked = this.client.list({ prefix, maxKeys: 1000, ...(startAfter === undefined ? {} : { startAfter }) })
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new TargetFault('away', 'did not answer in time')), answerMsMax)
    try {
      return await Promise.race([asked, late.promise])
    } catch (error) {
      throw listFault(error)
    } finally {
      clearTimeout(timer)
    }
  }

  private async exchange(
    method: 'GET' | 'PUT' | 'DELETE',
    name: string,
    {
      body,
      headers,
      expected = [],
    }: { body?: Uint8Array<ArrayBuffer>; headers?: Record<string, string>; expected?: number[] },
  ): Promise<{ status: number; bytes: Uint8Array<ArrayBuffer> }> {
    const address = this.client.presign(this.prefix + name, { method, expiresIn: signatureSeconds })
    const late = new AbortController()
    const end = () => late.abort(new TargetFault('away', 'did not answer in time'))
    let timer = setTimeout(end, answerMsMax + (body?.length ?? 0) / bytesPerMsMin)
    const request = { method, redirect: 'manual' as const, signal: late.signal }
    // The service compares it with what has arrived (RFC 1864).
    const digest =
      body === undefined ? {} : { 'Content-MD5': new Bun.CryptoHasher('md5').update(body).digest('base64') }
    try {
      const response = await fetch(address, {
        ...request,
        ...(body === undefined ? {} : { body }),
        headers: { ...digest, ...headers },
      })
      clearTimeout(timer)
      timer = setTimeout(end, objectBytesMax / bytesPerMsMin)
      const bytes = await bodyWithin(response)
      // A missing bucket must not look like an empty one.
      const isExpected = expected.includes(response.status) && errorCode(bytes) !== 'NoSuchBucket'
      if (!response.ok && !isExpected) throw statusFault(response.status, bytes)
      return { status: response.status, bytes }
    } catch (error) {
      throw requestFault(error)
    } finally {
      clearTimeout(timer)
    }
  }
}

async function bodyWithin(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(response.headers.get('content-length') ?? 0) > objectBytesMax) {
    await response.body?.cancel()
    throw new TargetFault('away', 'holds an object that is larger than any of capture')
  }
  const bytes = new Uint8Array(await response.arrayBuffer())
  const announced = response.headers.get('content-length')
  if (
    response.ok &&
    announced !== null &&
    Number(announced) !== bytes.length &&
    !response.headers.has('content-encoding')
  )
    throw new TargetFault('away', 'closed the connection before its answer was whole')
  return bytes
}

/** S3 names the error in XML, whose other parts may contain keys. */
const errorCode = (bytes: Uint8Array): string =>
  /<Code>([A-Za-z]{1,60})<\/Code>/.exec(new TextDecoder().decode(bytes.subarray(0, 2000)))?.[1] ?? ''

const fullCodes = [
  'EntityTooLarge',
  'QuotaExceeded',
  'ServiceQuotaExceeded',
  'XMinioStorageFull',
  'InsufficientStorage',
]
const refusedStatuses = [301, 307, 400, 401, 403, 404]

function statusFault(status: number, bytes: Uint8Array): TargetFault {
  const code = errorCode(bytes)
  const answered = `answered ${status}${code === '' ? '' : ` ${code}`}`
  if (status === 507 || fullCodes.includes(code)) return new TargetFault('full', `has no room: it ${answered}`)
  return refusedStatuses.includes(status)
    ? new TargetFault('refused', `refuses this box: it ${answered}`)
    : new TargetFault('away', answered)
}

function requestFault(error: unknown): unknown {
  if (error instanceof TargetFault) return error
  const reason = connectionFault(error) ?? ('code' in Object(error) ? String(Object(error).code) : null)
  return reason === null ? error : new TargetFault('away', `cannot be reached: ${reason}`)
}

const listRefusals =
  /^(?:AccessDenied|NoSuchBucket|InvalidAccessKeyId|SignatureDoesNotMatch|AuthorizationHeaderMalformed|PermanentRedirect)$/

/** Bun's client throws errors with S3's code, or that of the connection. */
function listFault(error: unknown): unknown {
  const code = 'code' in Object(error) ? String(Object(error).code) : ''
  if (listRefusals.test(code)) return new TargetFault('refused', `refuses this box: it answered ${code}`)
  return requestFault(error)
}
