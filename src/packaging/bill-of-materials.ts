import manifest from '../../package.json' with { type: 'json' }
import { type EmbeddedPackage, embeddedData, hashesIn, type InnerPart, idOf, partsOfBun } from './notices.ts'
import runtimes from './runtimes/package.json' with { type: 'json' }

const program = idOf(manifest)
const bun = idOf({ name: 'bun', version: manifest.engines.bun })

/**
 * A CycloneDX 1.6 document of what an executable contains: packages of npm, Bun with the libraries that it names, and data of
 * others. The same for all machines, except that Bun has a hash for each.
 */
export async function billOfMaterials(packages: readonly EmbeddedPackage[], madeAtSeconds: number): Promise<string> {
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: new Date(madeAtSeconds * 1000).toISOString(),
      component: {
        type: 'application',
        'bom-ref': program,
        name: manifest.name,
        version: manifest.version,
        description: manifest.description,
        licenses: licences(manifest.license),
      },
    },
    components: [await bunComponent(), ...packages.map(packageComponent), ...dataIn(manifest.name)],
    dependencies: [
      { ref: program, dependsOn: [bun, ...refsOf(Object.keys(manifest.dependencies), packages)] },
      ...packages.map((one) => ({ ref: idOf(one), dependsOn: refsOf(one.needs, packages) })),
    ],
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

async function bunComponent() {
  const lock = Bun.JSONC.parse(await Bun.file('src/packaging/runtimes/bun.lock').text()) as {
    packages: Record<string, unknown[]>
  }
  const hashes = hashesIn(lock.packages)
  const archives = Object.entries(runtimes.dependencies).map(([name, version]) => ({
    type: 'distribution',
    url: purl(name, version),
    hashes: hash(hashes.get(idOf({ name, version })) ?? ''),
  }))
  return {
    type: 'platform',
    'bom-ref': bun,
    name: 'bun',
    version: manifest.engines.bun,
    purl: `pkg:github/oven-sh/bun@bun-v${manifest.engines.bun}`,
    licenses: licences('MIT'),
    externalReferences: archives,
    components: partsOfBun().map((part) => innerComponent('library', part)),
  }
}

function packageComponent(one: EmbeddedPackage) {
  const data = dataIn(one.name)
  return {
    type: 'library',
    'bom-ref': idOf(one),
    name: one.name,
    version: one.version,
    purl: purl(one.name, one.version),
    licenses: licences(one.licence),
    hashes: hash(one.sha512),
    ...(data.length === 0 ? {} : { components: data }),
  }
}

const dataIn = (name: string) =>
  embeddedData.filter(({ inside }) => inside === name).map((part) => innerComponent('data', part))

const innerComponent = (type: 'library' | 'data', { name, version, licence }: InnerPart) => ({
  type,
  name,
  ...(version === null ? {} : { version }),
  ...(type === 'library' ? { purl: `pkg:generic/${name}@${version}` } : {}),
  licenses: licences(licence),
})

/** A package may need two versions of one name; which of them, only its folder says. Both are named then. */
const refsOf = (names: readonly string[], packages: readonly EmbeddedPackage[]): string[] =>
  packages.filter(({ name }) => names.includes(name)).map(idOf)

const licences = (expression: string) =>
  /^[\w.-]+$/.test(expression) ? [{ license: { id: expression } }] : [{ expression }]

const hash = (sha512: string) => [{ alg: 'SHA-512', content: sha512 }]

/** https://github.com/package-url/purl-spec */
const purl = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`
