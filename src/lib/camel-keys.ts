/** `form_per_ip` → `formPerIp`. */
type CamelKey<K> = K extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<CamelKey<Rest>>}` : K

type CamelKeys<T> = { [K in keyof T as CamelKey<K>]: T[K] }

/** A table of a TOML file under the names that its keys have in code. Tables within are left alone. */
export const camelKeys = <T extends object>(table: T): CamelKeys<T> =>
  Object.fromEntries(
    Object.entries(table).map(([key, value]) => [
      key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  ) as CamelKeys<T>

/** The table under the names that its keys have in a TOML file. */
export const snakeKeys = (table: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(table).map(([key, value]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  )
