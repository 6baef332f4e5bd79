import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { OperatorError } from '../lib/operator-error.ts'
import { type EmbeddedPackage, idOf } from './embedded-packages.ts'
import { embeddedData } from './runtime-parts.ts'

export const noticesFile = 'THIRD-PARTY-NOTICES'

/** Texts of licences that no package brings along, and Bun's own notice. */
const texts = join(import.meta.dir, 'licences')
const common = ['Apache-2.0', 'LGPL-2.0-only', 'LGPL-2.1-only', 'MPL-2.0']
const rule = '='.repeat(80)

/** The text that goes wherever the executable goes: what it contains of others, and their licences. */
export async function thirdPartyNotices(packages: readonly EmbeddedPackage[]): Promise<string> {
  const below = (licence: string): string => {
    if (common.includes(licence)) return `The text of ${licence} stands at the end of this file.`
    throw new OperatorError(`A package of ${licence} has no licence file: add its text to src/packaging/licences.`)
  }
  const textOf = (file: string): Promise<string> => Bun.file(join(texts, file)).text()
  const sections = [
    ...packages.map((one) => [`${idOf(one)} (${one.licence})`, one.licenceTexts.join('\n\n') || below(one.licence)]),
    ...(await Promise.all(
      embeddedData.map(async ({ name, licence, inside, licenceFile }) => [
        `${name} (${licence}), in ${inside}`,
        licenceFile === null ? below(licence) : await Bun.file(licenceFile).text(),
      ]),
    )),
    [`bun@${manifest.engines.bun} (MIT)`, await textOf('bun.md')],
    ...(await Promise.all(
      common.map(async (licence) => [licence, await textOf(`${licence.toLowerCase().replace('.', '-')}.txt`)]),
    )),
  ]
  const intro = `Capture ${manifest.version} contains work of others. For each: its name, its licence and the licence's text.`
  return [intro, ...sections.map(([title, text]) => `${rule}\n${title}\n${rule}\n\n${text?.trim()}`), ''].join('\n\n')
}
