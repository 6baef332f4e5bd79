import { fileURLToPath } from 'node:url'
import type { OpenedTarget } from '../../backup/target/backup-target.ts'
import type { BackupConfig } from '../../config/backup.ts'
import type { S3Config } from '../../config/s3.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { FileTarget } from '../../storage/target/file-target.ts'
import { S3Target } from '../../storage/target/s3-target.ts'

export const openTargets = (config: BackupConfig): OpenedTarget[] => config.to.map((url) => openTarget(url, config))

/** The target of a checked URL, as `[backup] to` has them, or `[cluster] store`. */
export function openTarget(url: string, { s3Endpoint, s3Region, s3AccessKey, s3SecretKey }: S3Config): OpenedTarget {
  if (url.startsWith('file:')) {
    const target = new FileTarget(url, fileURLToPath(url))
    return { target, create: () => target.create() }
  }
  if (s3Region === null || s3AccessKey === null || s3SecretKey === null)
    throw new OperatorError(`${url} needs s3_region, s3_access_key and s3_secret_key in [backup] of capture.toml.`)
  const place = { url, endpoint: s3Endpoint, region: s3Region, accessKey: s3AccessKey, secretKey: s3SecretKey }
  return { target: new S3Target(place), create: async () => {} }
}
