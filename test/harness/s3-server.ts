import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from './eventually.ts'
import { ownPort } from './loopback.ts'

/** The version that `install.sh --dev` builds. */
export const versitygwVersion = '1.8.0'

const folder = `versitygw-${versitygwVersion}`
const places = [
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'capture', folder),
  join(import.meta.dir, '../../gen', folder),
]

/** A real S3 server (versitygw) on loopback, strict about region and signatures. */
export interface S3Server extends AsyncDisposable {
  endpoint: string
  region: string
  accessKey: string
  secretKey: string
  /** Makes a bucket and answers its name. */
  bucket(): string
  /** The file that holds an object. */
  fileOf(bucket: string, name: string): string
  /** Nobody answers at its address until `start`. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** @throws when `install.sh --dev` has not run */
export async function startS3Server(): Promise<S3Server> {
  const program = places.map((place) => join(place, 'versitygw')).find((path) => existsSync(path))
  if (program === undefined)
    throw new Error(`There is no versitygw ${versitygwVersion}. Install it with ./install.sh --dev`)
  const dir = mkdtempSync(join(tmpdir(), 'capture-s3-'))
  const metadata = mkdtempSync(join(tmpdir(), 'capture-s3-metadata-'))
  const port = ownPort()
  const place = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'eu-central-1',
    accessKey: 'tester',
    secretKey: 'not a secret',
  }
  const argv = [
    program,
    '-p',
    `127.0.0.1:${port}`,
    '-r',
    place.region,
    '-q',
    '--keep-alive',
    'posix',
    '--sidecar',
    metadata,
    dir,
  ]
  const env = { ROOT_ACCESS_KEY: place.accessKey, ROOT_SECRET_KEY: place.secretKey }
  let buckets = 0
  let child: Bun.Subprocess | null = null
  const stop = async (): Promise<void> => {
    child?.kill()
    await child?.exited
    child = null
  }
  const start = async (): Promise<void> => {
    child = Bun.spawn(argv, { env, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
    const answers = async (): Promise<boolean> => {
      const answer = await fetch(place.endpoint).catch(() => null)
      return answer !== null
    }
    await eventually('the S3 server answers', answers)
  }
  await start()
  return {
    ...place,
    bucket() {
      const name = `bucket-${++buckets}`
      mkdirSync(join(dir, name))
      return name
    },
    fileOf: (bucket, name) => join(dir, bucket, name),
    stop,
    start,
    async [Symbol.asyncDispose]() {
      await stop()
      for (const made of [dir, metadata]) rmSync(made, { recursive: true, force: true })
    },
  }
}
