import type { ZipTools } from '../../operations/upload/upload-folder.ts'

/** Loaded when a zip is read or made. */
export const zipTools: ZipTools = {
  async unpack(...zip) {
    const { unpackZip } = await import('./zip.ts')
    await unpackZip(...zip)
  },
  async pack(files) {
    const { packZip } = await import('./zip.ts')
    return packZip(files)
  },
}
