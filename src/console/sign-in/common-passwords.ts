// 10,000 passwords in the order of how common they are, and all of 12 characters and more, from @zxcvbn-ts/language-common 4.1.3.
import listFile from './common-passwords-list/list.gz' with { type: 'file' }

/** As many digits and signs around a common password make it a password of its own. */
const decorationMin = 8
/** Shorter names are found in every other word. */
const nameCharactersMin = 4
/** A password with fewer characters beside such names is made of them. */
const besideNamesMin = 8

/**
 * Whether a password is one that everybody tries: a common one, a common one with a few digits and signs around it, or one that
 * repeats itself. The list is read anew each time: passwords are rarely set, and so it takes no memory meanwhile.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const list = Buffer.from(Bun.gunzipSync(await Bun.file(listFile).bytes())).toString()
  const has = (word: string) => list.includes(`\n${word}\n`)
  const typed = folded(password)
  const bare = fromLetterToLetter.exec(typed)?.[0] ?? ''
  const decoration = typed.replace(bare, '')
  const isDecorated = bare !== '' && (decoration.length < decorationMin || has(decoration))
  return has(typed) || has(repeated(typed)) || (isDecorated && has(repeated(bare)))
}

/** Whether little is left of a password without names that somebody who guesses knows. @param names of the product, accounts, hosts */
export async function isMadeOfNames(password: string, names: Iterable<string>): Promise<boolean> {
  const typed = folded(password)
  let rest = typed
  const known = Array.from(names, folded).filter(({ length }) => length >= nameCharactersMin)
  for (const name of known.toSorted((a, b) => b.length - a.length)) rest = rest.replaceAll(name, '')
  if (rest === typed) return false
  const left = rest.replaceAll(/[^\p{L}\p{N}]/gu, '')
  return [...left].length < besideNamesMin || isCommonPassword(left)
}

const fromLetterToLetter = /\p{L}.*\p{L}|\p{L}/su

const folded = (text: string): string => text.normalize('NFKC').toLowerCase()

/** What a text repeats: `abc` of `abcabc`; the text itself, if it repeats nothing. */
const repeated = (text: string): string => text.slice(0, `${text}${text}`.indexOf(text, 1))
