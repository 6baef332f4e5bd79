import type { AddressedKind } from '../asset/asset-kind.ts'

/** Limits of a site folder: wide enough for any real site, narrow enough that a mistake cannot fill the box. */
export const domainsMax = 100
export const originsMax = 500
export const formsMax = 1000
export const assetsPerKindMax = 100_000
export const folderDepthMax = 16
export const siteTomlBytesMax = 16_777_216
export const schemaCharactersMax = 32_768
export const redirectUrlCharactersMax = 2000
export const secretCharactersMax = 1000
export const secretFileBytesMax = 4096

/** Bytes of one page, image or file. */
export const assetBytesMax: Record<AddressedKind, number> = {
  page: 10_485_760,
  image: 52_428_800,
  file: 1_073_741_824,
  asset: 1_073_741_824,
}

/** Files that visitors send with a form. */
export const fileFieldsMax = 10
export const filesPerFieldMax = 10
export const visitorFileBytesMax = 104_857_600

export const contactCharactersMax = 300

export const deliveriesMax = 100
export const goalsMax = 50
export const funnelsMax = 20
export const funnelStepsMin = 2
export const funnelStepsMax = 8
export const splitsMax = 20
export const variantsMax = 9
export const goalNameCharactersMax = 80
/** As long as an event's name may be (spec, Limits). */
export const aimCharactersMax = 200
export const redirectsMax = 2000
export const redirectCharactersMax = 2000
export const recipientsMax = 20
export const ignoredMax = 100
export const deliveryUrlCharactersMax = 2000
export const conditionValuesMax = 100
export const conditionCharactersMax = 200
export const mailSubjectCharactersMax = 200
export const mailTextCharactersMax = 5000
