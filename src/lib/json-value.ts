/** Any JSON value. A number that JavaScript would change may stand as `JSON.rawJSON` (see lossless-json.ts). */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject

export interface JsonObject {
  [key: string]: JsonValue
}
