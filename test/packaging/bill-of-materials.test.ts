// What an executable contains of others is read off the bundle, not off a list.
import { beforeAll, describe, expect, test } from 'bun:test'
import manifest from '../../package.json' with { type: 'json' }
import { billOfMaterials } from '../../src/packaging/bill-of-materials.ts'
import { type EmbeddedPackage, embeddedPackages, partsOfBun, thirdPartyNotices } from '../../src/packaging/notices.ts'

interface Component {
  name: string
  version?: string
  purl?: string
  licenses: unknown[]
  hashes?: { alg: string; content: string }[]
  components?: Component[]
}

let packages: EmbeddedPackage[]
let bill: { components: Component[]; dependencies: { ref: string; dependsOn: string[] }[] }
let notices: string

beforeAll(async () => {
  packages = await embeddedPackages()
  bill = JSON.parse(await billOfMaterials(packages, 1_800_000_000))
  notices = await thirdPartyNotices(packages)
})

const component = (name: string): Component | undefined => bill.components.find((one) => one.name === name)

describe('the bill of materials', () => {
  test('names what the program imports, with version, licence and the hash of bun.lock', () => {
    expect(component('elysia')).toMatchObject({
      version: manifest.dependencies.elysia,
      purl: `pkg:npm/elysia@${manifest.dependencies.elysia}`,
      licenses: [{ license: { id: 'MIT' } }],
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    })
  })

  test('names what is imported by what the program imports, and what the scripts for browsers contain', () => {
    expect(['@noble/hashes', 'tldts-core', 'altcha'].map((name) => component(name)?.name)).toEqual([
      '@noble/hashes',
      'tldts-core',
      'altcha',
    ])
  })

  test('names no tool of the build or of the tests', () => {
    const tools = ['esbuild', ...Object.keys(manifest.devDependencies)]
    expect(tools.filter((name) => component(name) !== undefined)).toEqual([])
  })

  test('names both versions of a package that is embedded twice', () => {
    expect(bill.components.filter(({ name }) => name === 'tslib').map(({ version }) => version)).toEqual([
      '1.14.1',
      '2.9.1',
    ])
  })

  test('names Bun, and SQLite in it', () => {
    const bun = component('bun')
    expect(bun?.version).toBe(Bun.version)
    expect(bun?.components).toContainEqual(
      expect.objectContaining({
        name: 'sqlite',
        version: process.versions.sqlite,
        licenses: [{ license: { id: 'blessing' } }],
      }),
    )
  })

  test('names data of others: in a package, and in the program itself', () => {
    expect(component('tldts')?.components?.map(({ name }) => name)).toEqual(['Public Suffix List'])
    expect(component('@zxcvbn-ts/language-common, common passwords')?.licenses).toEqual([{ license: { id: 'MIT' } }])
    expect(notices).toContain('Dan Wheeler and Dropbox')
  })

  test('says which of them needs which', () => {
    const needs = (name: string) =>
      bill.dependencies
        .find(({ ref }) => ref.startsWith(`${name}@`))
        ?.dependsOn.map((ref) => ref.replace(/@[^@]+$/, ''))
    expect(needs('tldts')).toEqual(['tldts-core'])
    expect(needs('capture')).toEqual(expect.arrayContaining(['bun', 'elysia', 'nodemailer']))
  })

  test('refuses a Bun with a library whose licence nobody has looked up', () => {
    expect(() => partsOfBun({ bun: '9.9.9', newlib: '1' })).toThrow('"newlib"')
  })
})

describe('the notices', () => {
  test('hold each package with the text of its licence', () => {
    const missing = packages.filter(({ name, version, licenceTexts: [text = ''] }) => {
      const at = notices.indexOf(`\n${name}@${version} (`)
      return at < 0 || !notices.includes(text.trim(), at)
    })
    expect(missing).toEqual([])
  })

  test('hold the texts of licences that packages only name, and of libraries in Bun', () => {
    for (const licence of ['Apache-2.0', 'LGPL-2.0-only', 'LGPL-2.1-only', 'MPL-2.0']) {
      expect(notices).toContain(`\n${licence}\n`)
    }
    expect(notices).toContain('Bun statically links JavaScriptCore')
  })

  test('stop a build with a package whose licence has no text anywhere', async () => {
    const [one] = packages
    if (one === undefined) throw new Error('no packages')
    const bare = { ...one, licence: 'EUPL-1.2', licenceTexts: [] }
    await expect(thirdPartyNotices([bare])).rejects.toThrow('EUPL-1.2')
  })
})
