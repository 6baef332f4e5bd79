import { attachment } from '../lib/attachment.ts'
import { type FileType, fileTypes } from './file-type.ts'

/** What a field of a form takes (docs/files.md). */
export interface FileField {
  types: FileType[]
  bytesMax: number
  /** How many files. */
  count: number
}

/**
 * Stands before the bytes of each file that a visitor sent, wherever they are stored. The name of a content is its SHA-256, and a
 * backup shows names: with this, whoever has a file cannot look whether a visitor of the account sent it. It also keeps visitors'
 * files apart from published content and from those of other accounts.
 */
export const fileSalt = (accountId: string): Uint8Array => Bun.SHA256.hash(`visitor file 1\n${accountId}`) as Uint8Array

export const fileSaltBytes = 32

/**
 * The bytes that the visitor sent, of a stored content. Bun does not know the size of a slice of a file whose own size nobody has
 * asked for: reading from its end then reads nothing, or all of it, as the file system has it.
 */
export const sentBytes = (stored: Blob): Blob => stored.slice(fileSaltBytes, stored.size)

/** A file as it is handed out: a download, which no browser shows or runs. */
export const fileHeaders = ({ name, type }: { name: string; type: string }): Record<string, string> => ({
  'content-type': (fileTypes as Readonly<Record<string, string>>)[type] ?? 'application/octet-stream',
  'content-disposition': attachment(name),
  'content-security-policy': "sandbox; default-src 'none'",
  'cache-control': 'private, no-store',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
})
