import { expect, test } from 'bun:test'
import { type DebianInput, debianPackage } from '../../src/packaging/debian/package.ts'

const input: DebianInput = {
  version: '0.1.0',
  architecture: 'amd64',
  maintainer: 'Ada <ada@agency.example>',
  madeAtSeconds: 1_700_000_000,
  executable: new Uint8Array(100),
  changes: '',
  readme: '',
  notices: '',
  licence: 'MIT',
}

test('the members of a Debian package are compressed with gzip, which every dpkg and lintian reads', async () => {
  const names = [
    ...Buffer.from(await debianPackage(input))
      .toString('latin1')
      .matchAll(/([\w.-]+)\s+1700000000 {2}0/g),
  ]
  expect(names.map(([, name]) => name)).toEqual(['debian-binary', 'control.tar.gz', 'data.tar.gz'])
})
