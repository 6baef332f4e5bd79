import { chatKinds } from '../account/destination.ts'
import { type StringRange, stringRanges } from '../lib/toml/string-ranges.ts'
import { keptInTheBox } from './kept-mark.ts'

/** A valid `site.toml` with `keptInTheBox` in place of each secret, and otherwise unchanged to the byte. */
export function withoutSecrets(text: string): string {
  const strings = stringRanges(text)
  const kinds = new Map(strings.filter(isKindOfDelivery).map(({ path, value }) => [path[1], value]))
  let kept = ''
  let from = 0
  for (const found of strings) {
    if (found.value === '' || !isSecret(found, kinds)) continue
    kept += `${text.slice(from, found.start)}"${keptInTheBox}"`
    from = found.end
  }
  return kept + text.slice(from)
}

type Kinds = ReadonlyMap<string | number | undefined, string>

const isKindOfDelivery = ({ path: [top, , key] }: StringRange): boolean => top === 'deliveries' && key === 'kind'

function isSecret({ path }: StringRange, kinds: Kinds): boolean {
  if (path.join('.') === 'bot_check.secret') return true
  const [top, index, key] = path
  if (top !== 'deliveries' || path.length !== 3) return false
  return key === 'secret' || (key === 'url' && chatKinds.some((kind) => kind === kinds.get(index)))
}
