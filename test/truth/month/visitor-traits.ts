/** What a request says of the program that sent it. */
export interface VisitorTraits {
  /** `null`: nothing. */
  userAgent: string | null
  /** Whether it says which languages it would like: browsers do. */
  saysLanguage: boolean
  keepsCookies: boolean
  isBot: boolean
  /** IPv4. */
  address: string
}

const browserAgents = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
]
/** Of what a mail gateway opens links with, to look like somebody; nobody else of the month has it. */
const disguisedAgent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Safari/537.36'

export const crawlerAgents = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  'curl/8.5.0',
]
export const gatewayAgents = ['Barracuda Sentinel (EE)', 'Mimecast URL Protect', 'Mozilla/5.0 (compatible; Proofpoint)']
export const sandboxAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.0.0 Safari/537.36'

/** Every number another address. */
const addressOf = (number: number): string => `198.${18 + ((number >> 16) & 1)}.${(number >> 8) & 255}.${number & 255}`

const isLike = (number: number, traits: Partial<VisitorTraits>): VisitorTraits => ({
  userAgent: browserAgents[number % browserAgents.length] ?? '',
  saysLanguage: true,
  keepsCookies: true,
  isBot: false,
  address: addressOf(number),
  ...traits,
})

export const aPerson = (number: number): VisitorTraits => isLike(number, {})

/** A person's browser that throws cookies away. */
export const aForgetfulPerson = (number: number): VisitorTraits => isLike(number, { keepsCookies: false })

/** A program that says what it is. */
export const aProgram = (number: number, userAgent: string | null): VisitorTraits =>
  isLike(number, { userAgent, saysLanguage: false, keepsCookies: false, isBot: true })

/** A program that says it is a browser. */
export const aDisguise = (number: number): VisitorTraits =>
  isLike(number, { userAgent: disguisedAgent, keepsCookies: false })

/** A customer's own server, which posts under the name of its HTTP library. */
export const aServer = (number: number): VisitorTraits =>
  isLike(number, { userAgent: 'python-requests/2.31.0', saysLanguage: false, keepsCookies: false })
