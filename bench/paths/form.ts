import { counterMark } from '../raw-request.ts'
import { benchSite } from '../site.ts'
import type { BenchPath } from './path.ts'

export const formPath: BenchPath = {
  name: 'form',
  title: 'form submission, durable, all checks',
  bare: 'echo',
  bareStatus: 200,
  status: 200,
  nativeTarget: `/f/${benchSite.formId}`,
  ratioMin: 0.4,
  records: 1,
  request: ({ cookie }) => ({
    method: 'POST',
    target: `/_svc/f/${benchSite.formId}`,
    headers: {
      Host: benchSite.host,
      Origin: benchSite.origin,
      'Content-Type': 'application/json',
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36',
      Referer: `${benchSite.origin}/contact?utm_source=newsletter`,
      Cookie: cookie,
    },
    body: JSON.stringify({
      email: `visitor-${counterMark}@mail.example`,
      name: 'A visitor of the bench',
      company: 'Bench and Sons',
      message: 'Please send the price list, and tell us when a tour of the workshop would be possible.',
      newsletter: true,
      _hp: '',
    }),
  }),
}
