/** Bytes of a request that brings a folder, and of the folder itself. */
export const uploadBytesMax = 4_294_967_296
/** Files of a folder: 100,000 of each kind, and some beside. */
export const uploadFilesMax = 310_000
/** Folders take room on the disk that no count of bytes shows. */
export const uploadFoldersMax = 20_000
/** Deeper than what is published, since folders hold more than that. */
export const uploadDepthMax = 32
/** Real sites shrink to a fifth; what grows a hundredfold is made to fill a disk. */
export const zipGrowthMax = 100
/** However much a zip below this size grows, it cannot do harm. */
export const zipGrowthFreeBytes = 10_485_760
/** What an upload leaves free on the disk, for what visitors send. */
export const roomLeftBytes = 268_435_456
export const noRoom = 'The box’s disk has no space for this upload. Free some space and try again.'
export const manifestBytesMax = 67_108_864
