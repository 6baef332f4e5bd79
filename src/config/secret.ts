import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** A table of the configuration whose keys are checked together. */
export interface Section {
  /** The configuration file's folder, in which files of keys are found. */
  folder: string
  env: Readonly<Record<string, string | undefined>>
  /** Reports a fault of a key and returns `null` as its value. */
  fault(key: string, message: string): null
}

/** A bundle of all public authorities has 200 KB. */
const caFileBytesMax = 1_048_576
const secretFileBytesMax = 4096

/** A secret and the key that it comes from. */
interface ReadSecret {
  /** `null`: none of the three keys is set. */
  key: string | null
  /** `null`: there is none, or a fault was reported. */
  text: string | null
}

/** Reads the secret from `NAME`, from the file in `NAME_file`, or from the environment variable in `NAME_env`. */
export function readSecret(name: string, written: Readonly<Record<string, unknown>>, section: Section): ReadSecret {
  const [key, second] = [name, `${name}_file`, `${name}_env`].filter((key) => written[key] !== null)
  if (key === undefined) return { key: null, text: null }
  if (second !== undefined) return { key, text: section.fault(second, `is set beside ${key}; leave one of them`) }
  const value = String(written[key])
  if (key.endsWith('_file')) return { key, text: fileText(key, value, secretFileBytesMax, section) }
  if (!key.endsWith('_env')) return { key, text: value }
  return { key, text: section.env[value] || section.fault(key, `the environment variable ${value} is not set`) }
}

/** The certificates (PEM) of the file that `key` names. */
export function trustedCertificates(key: string, name: string | null, section: Section): string | null {
  if (name === null) return null
  const text = fileText(key, name, caFileBytesMax, section)
  if (text === null || text.includes('-----BEGIN CERTIFICATE-----')) return text
  return section.fault(
    key,
    `${resolve(section.folder, name)} holds no certificate in PEM ("-----BEGIN CERTIFICATE-----")`,
  )
}

function fileText(key: string, name: string, bytesMax: number, { folder, fault }: Section): string | null {
  const file = resolve(folder, name)
  try {
    const bytes = readFileSync(file)
    return bytes.length > bytesMax ? fault(key, `${file} is larger than ${bytesMax} bytes`) : bytes.toString('utf8')
  } catch (error) {
    return fault(key, `${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`)
  }
}
