import { benchSite } from '../site.ts'
import type { BenchPath } from './path.ts'

export const pagePath: BenchPath = {
  name: 'page',
  title: 'landing page of 7 KB, known cookie, page view recorded',
  bare: 'page',
  bareStatus: 200,
  status: 200,
  nativeTarget: `/${benchSite.slug}`,
  ratioMin: 0.45,
  records: 1,
  request: ({ cookie }) => ({
    method: 'GET',
    target: `/${benchSite.slug}?utm_source=newsletter&utm_campaign=spring`,
    headers: {
      Host: benchSite.host,
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36',
      Accept: 'text/html',
      Cookie: cookie,
    },
  }),
}
