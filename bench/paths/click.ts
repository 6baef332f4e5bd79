import { benchSite } from '../site.ts'
import type { BenchPath } from './path.ts'

export const clickPath: BenchPath = {
  name: 'click',
  title: 'click redirect, durable',
  bare: 'redirect',
  bareStatus: 302,
  status: 302,
  nativeTarget: `/c/${new Bun.CryptoHasher('sha256', 'key').update(benchSite.slug).digest('hex')}/${benchSite.slug}`,
  ratioMin: 0.4,
  records: 1,
  request: async ({ cookie, clickTarget }) => ({
    method: 'GET',
    target: await clickTarget(),
    headers: {
      Host: benchSite.host,
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36',
      Accept: 'text/html',
      'Accept-Language': 'en',
      Cookie: cookie,
    },
  }),
}
