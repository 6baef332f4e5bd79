import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BackgroundProgram, startProgram } from './background-program.ts'
import { DnsZone } from './dns-zone.ts'
import { eventually } from './eventually.ts'
import { pebbleProgram } from './pebble-programs.ts'
import { type SerialProxy, startSerialProxy } from './serial-proxy.ts'
import { makeTlsAuthority } from './tls-authority.ts'

const acmePort = 14000
const managementPort = 15000
/** Where pebble itself listens, behind the proxy. */
const ownPort = 14001

export interface PebbleOptions {
  /** Of the nonces that are good, how many in a hundred are refused. Default: none. */
  badNoncePercent?: number
  /** How often in a hundred a host that was validated need not be so again. Default: never. */
  authorizationReusePercent?: number
  /** Where a host is asked for its answer to HTTP-01. Default: 5002, which needs no rights. */
  httpPort?: number
  /** Lifetimes in seconds, by name of profile. Default: one, `default`, of 90 days. */
  profiles?: Record<string, number>
  /** HMAC keys (base64url) by `kid`. When given, new accounts need an external binding. */
  externalAccounts?: Record<string, string>
  /** Default: `pebble.test`. */
  caaIdentities?: string[]
  /** Hosts that it issues nothing for. */
  blockedHosts?: string[]
  /** How many other chains it offers beside the default one. Default: none. */
  alternateRoots?: number
  /** Default: each host is looked at without delay. */
  validationSecondsMax?: number
}

/**
 * A real certificate authority (pebble) with its DNS server, both at a loopback address of their own. Ports 80 and 443
 * of that address are free, so that the hosts of a test may be there.
 */
export interface Pebble extends AsyncDisposable {
  /** The loopback address. */
  address: string
  /** `https://ADDRESS:14000/dir`. */
  directoryUrl: string
  /** PEM file that makes a client trust the directory (`ca_file`), and its text. */
  caFile: string
  ca: string
  /** Records of names: `setA`, `setTxt` and so on. `dns.server` is what a resolver asks. */
  dns: DnsZone
  httpPort: number
  /** The last lines of its log. */
  lines(): string[]
  /** PEM of the root of what it issues. */
  issuingRoot(): Promise<string>
  /** What it says from now on about the renewal of this certificate; any text. */
  setRenewalInfo(certificate: string, text: string): Promise<void>
  /** Stops it: the directory is not to be reached until `start`. */
  stop(): Promise<void>
  /** Starts it again after `stop`, with these options changed. It has forgotten accounts, orders and its root. */
  start(changed?: PebbleOptions): Promise<void>
}

/** @throws when `install.sh --dev` has not run */
export async function startPebble(options: PebbleOptions = {}): Promise<Pebble> {
  const address = ownLoopbackAddress()
  const folder = mkdtempSync(join(tmpdir(), 'capture-pebble-'))
  const at = (name: string): string => join(folder, name)
  const authority = makeTlsAuthority()
  const { certificate, key } = authority.issue(`IP:${address}`, 'DNS:localhost')
  const files = { 'ca.pem': authority.root, 'certificate.pem': certificate, 'key.pem': key }
  for (const [name, text] of Object.entries(files)) await Bun.write(at(name), text)
  const dns = await DnsZone.at(address)

  let current = options
  let program: BackgroundProgram | null = null
  let proxy: SerialProxy | null = null
  const managed = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`https://${address}:${managementPort}/${path}`, { ...init, proxy: false, tls: { ca: authority.root } })

  const pebble: Pebble = {
    address,
    directoryUrl: `https://${address}:${acmePort}/dir`,
    caFile: at('ca.pem'),
    ca: authority.root,
    dns,
    httpPort: options.httpPort ?? defaultHttpPort,
    lines: () => program?.lines ?? [],
    issuingRoot: async () => (await managed('roots/0')).text(),
    async setRenewalInfo(leaf, text) {
      const body = JSON.stringify({ certificate: leaf, ariResponse: text })
      const { status } = await managed('set-renewal-info/', { method: 'POST', body })
      if (status !== 200) throw new Error(`pebble answered set-renewal-info with ${status}`)
    },
    async stop() {
      await proxy?.stop()
      await program?.stop()
      proxy = null
      program = null
    },
    async start(changed = {}) {
      current = { ...current, ...changed }
      await Bun.write(at('config.json'), JSON.stringify(configuration(address, at, current)))
      program = await startProgram({
        argv: [pebbleProgram('pebble'), '-config', at('config.json'), '-dnsserver', dns.server],
        env: environment(current),
        readyLine: 'ACME directory available',
      })
      await eventually('pebble answers', () =>
        managed('roots/0').then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      proxy = startSerialProxy({
        hostname: address,
        port: acmePort,
        upstream: `https://${address}:${ownPort}`,
        tls: { cert: certificate, key, ca: authority.root },
        settled: (path) => orderSettled(path, pebble.lines),
      })
    },
    async [Symbol.asyncDispose]() {
      await pebble.stop()
      await dns[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  try {
    await pebble.start()
    return pebble
  } catch (error) {
    await pebble[Symbol.asyncDispose]()
    throw error
  }
}

const defaultHttpPort = 5002

/** All of 127.0.0.0/8 is this machine: an address drawn at random has all its ports free, whoever else runs tests. */
function ownLoopbackAddress(): string {
  const part = (): number => 1 + Math.floor(Math.random() * 254)
  return `127.${part()}.${part()}.${part()}`
}

/**
 * Pebble 2.10.1 locks an order twice to show it, and hangs for good when a certificate's completion comes between
 * (letsencrypt/pebble issue 554). So nobody looks at an order until its certificate is issued.
 */
async function orderSettled(path: string, lines: () => string[]): Promise<void> {
  const [, id] = /^\/finalize-order\/(.+)$/.exec(path) ?? []
  if (id === undefined) return
  const isSettled = (line: string): boolean =>
    line.endsWith(`for order ${id}`) || line.includes('unable to issue order')
  await eventually(`pebble completes the order ${id}`, async () => lines().some(isSettled))
}

function configuration(address: string, at: (name: string) => string, options: PebbleOptions): object {
  const profiles = options.profiles ?? { default: 90 * 86_400 }
  return {
    pebble: {
      listenAddress: `${address}:${ownPort}`,
      managementListenAddress: `${address}:${managementPort}`,
      certificate: at('certificate.pem'),
      privateKey: at('key.pem'),
      httpPort: options.httpPort ?? defaultHttpPort,
      tlsPort: 5001,
      keyAlgorithm: 'ecdsa',
      caaIdentities: options.caaIdentities ?? ['pebble.test'],
      domainBlocklist: options.blockedHosts ?? [],
      externalAccountBindingRequired: options.externalAccounts !== undefined,
      externalAccountMACKeys: options.externalAccounts ?? {},
      profiles: Object.fromEntries(
        Object.entries(profiles).map(([name, seconds]) => [name, { description: name, validityPeriod: seconds }]),
      ),
      // Zero: it does not say when to look again.
      retryAfter: { authz: 0, order: 0 },
    },
  }
}

function environment(options: PebbleOptions): Record<string, string> {
  return {
    // One processor: what pebble logs as done is done before it takes another request.
    GOMAXPROCS: '1',
    PEBBLE_WFE_NONCEREJECT: String(options.badNoncePercent ?? 0),
    PEBBLE_AUTHZREUSE: String(options.authorizationReusePercent ?? 0),
    PEBBLE_ALTERNATE_ROOTS: String(options.alternateRoots ?? 0),
    ...(options.validationSecondsMax === undefined
      ? { PEBBLE_VA_NOSLEEP: '1' }
      : { PEBBLE_VA_SLEEPTIME: String(options.validationSecondsMax) }),
  }
}
