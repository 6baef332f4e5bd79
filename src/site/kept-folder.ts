/** A file of a site folder. */
export interface KeptFile {
  /** Relative to the folder, with `/`, as it was on disk: `pages/launch.html`. */
  path: string
  /** Names its bytes in the asset store. */
  sha256: string
  byteCount: number
}

/** The site folder that an account was last made from, as far as it is published. */
export interface KeptFolder {
  /** Unchanged to the byte, but for secrets (`withoutSecrets`). */
  siteToml: string
  /** In order of their paths. */
  files: KeptFile[]
}

/**
 * The folders that the box keeps, so that it can give them back (docs/publishing.md).
 *
 * Guarantees: a folder is that of one publication, never a mixture of two; the bytes of its files stay in the asset store.
 */
export interface KeptFolders {
  /** `null`: the account is not there any more. */
  read(accountId: string): Promise<KeptFolder | null>
  /** Its `site.toml` alone: a folder may have 100,000 files. */
  readSiteToml(accountId: string): Promise<string | null>
}

/** Whether two folders are the same to the byte. */
export const isSameFolder = (one: KeptFolder, other: KeptFolder): boolean =>
  one.siteToml === other.siteToml && Bun.deepEquals(one.files, other.files)

/** Stands for a secret that the box has and does not give away. Applied, it keeps that secret (docs/publishing.md). */
export const keptInTheBox = '(kept in the box)'
