import { expect, test } from 'bun:test'
import { CertificateFigures } from '../../src/operator/figures.ts'

const now = Date.parse('2026-03-01T00:00:00Z')

const shown = (certificates: { host: string; expiresAt: number }[]) => {
  const figures = new CertificateFigures({ now: () => now })
  figures.use(certificates)
  return figures.family().samples.map(({ labels, value }) => [labels?.host, value])
}

test('a host shows the seconds until its certificate expires, below 0 once it has', () => {
  const certificates = [
    { host: 'good.test', expiresAt: now + 60_000 },
    { host: 'over.test', expiresAt: now - 5000 },
  ]
  expect(shown(certificates)).toEqual([
    ['over.test', -5],
    ['good.test', 60],
  ])
})

test('a host whose certificate is no longer in use has no series', () => {
  const figures = new CertificateFigures({ now: () => now })
  figures.use([{ host: 'gone.test', expiresAt: now }])
  figures.use([])
  expect(figures.family().samples).toEqual([])
})

test('beyond 1,000 hosts the one that expires first of the others stands for them', () => {
  const certificates = Array.from({ length: 1100 }, (_, n) => ({ host: `h${n}.test`, expiresAt: now + n * 1000 }))
  const samples = shown(certificates.toReversed())
  expect(samples).toHaveLength(1001)
  expect(samples[0]).toEqual(['h0.test', 0])
  expect(samples.at(-1)).toEqual(['other', 1000])
})
