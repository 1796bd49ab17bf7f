// Passwords and keys: neither may show anywhere but where they are used.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../src/demo/processes.ts'
import type { Scenario } from '../harness/scenario.ts'
import { PRODUCT } from '../harness/servers.ts'
import type { World } from '../harness/world.ts'
import { startProcess } from '../support/process.ts'
import { svodka } from '../support/svodka.ts'
import { exchange } from './exchange.ts'
import { takeSnapshot, WITH_SNAPSHOTS } from './heap.ts'

/** No piece of it stands in anything else, so that a part that is left shows. */
const PIECES = ['Qzkwvj', 'Xbnmtr', 'Plfghd', 'Zrtyqw', 'Vmcnxk', 'Jhgwpz', 'Kxqvbd']
const PASSWORD = ['@', '/', ':', '#', '?', ','].reduce(
  (text, mark, at) => `${text}${mark}${PIECES[at + 1]}`,
  PIECES[0] ?? '',
)

function shownIn(text: string): string[] {
  return PIECES.filter(piece => text.toLowerCase().includes(piece.toLowerCase()))
}

interface Failure {
  readonly what: string
  readonly settings: Readonly<Record<string, string>>
}

/** Settings that fail, each in a way of its own. */
function failures({ servers, folder }: World): Failure[] {
  const encoded = encodeURIComponent(PASSWORD)
  const port = servers.one.port
  const urls: Record<string, string> = {
    'wrong password': `postgres://svodka_reports:${encoded}@127.0.0.1:${port}/product`,
    'not encoded': `postgres://svodka_reports:${PASSWORD}@127.0.0.1:${port}/product`,
    'half encoded': `postgres://svodka_reports:${PASSWORD.replaceAll('@', '%40')}@127.0.0.1:${port}/product`,
    'unknown role': `postgres://unknown:${encoded}@127.0.0.1:${port}/product`,
    'unknown database': `postgres://svodka_reports:${encoded}@127.0.0.1:${port}/nothing`,
    'closed port': `postgres://svodka_reports:${encoded}@127.0.0.1:1/product`,
    'unknown host': `postgres://svodka_reports:${encoded}@nothing.invalid:5432/product`,
    'no host': `postgres://svodka_reports:${encoded}@/product`,
    'no port': `postgres://svodka_reports:${encoded}@127.0.0.1:port/product`,
    'another scheme': `mysql://svodka_reports:${encoded}@127.0.0.1/product`,
    'no scheme': `svodka_reports:${PASSWORD}@127.0.0.1:${port}/product`,
    'words of libpq': `host=127.0.0.1 port=${port} user=svodka_reports password='${PASSWORD}'`,
    'in the query': `postgres://127.0.0.1:${port}/product?user=svodka_reports&password=${encoded}`,
    'bad sslmode': `postgres://svodka_reports:${encoded}@127.0.0.1:${port}/product?sslmode=bogus`,
    'no TLS there': `postgres://svodka_reports:${encoded}@127.0.0.1:${port}/product?sslmode=require`,
    'no certificate': `postgres://svodka_reports:${encoded}@127.0.0.1:${port}/product?sslrootcert=/${encoded}`,
    'bad options': `postgres://svodka_reports:${encoded}@127.0.0.1:${port}/product?options=-c%20a%3D${encoded}`,
    'broken escape': `postgres://svodka_reports:%zz${PASSWORD}@127.0.0.1:${port}/product`,
    'in the user': `postgres://${encoded}@127.0.0.1:${port}/product`,
    'the same twice': [0, 1]
      .map(() => `postgres://svodka_reports:${encoded}@127.0.0.1:1/product`)
      .join(','),
  }
  const ok = servers.url('svodka_keys', servers.primary.port)
  const everywhere = Object.entries(urls).flatMap(([what, url]) => [
    { what, settings: { DATABASE_URL: url } },
    { what: `file, ${what}`, settings: { DATABASE_URL_FILE: fileOf(folder, url) } },
    { what: `file that is a URL, ${what}`, settings: { DATABASE_URL_FILE: url } },
  ])
  const here = ['wrong password', 'not encoded', 'closed port', 'bad sslmode'].flatMap(what => {
    const url = urls[what] ?? ''
    return [
      { what: `keys, ${what}`, settings: { DATABASE_URL: ok, KEYS_DATABASE_URL: url } },
      { what: `probe, ${what}`, settings: { DATABASE_URL: ok, PROBE_DATABASE_URL: url } },
      { what: `misspelt, ${what}`, settings: { DATABASE_URL: ok, KEY_DATABASE_URL: url } },
      { what: `both, ${what}`, settings: { DATABASE_URL: url, DATABASE_URL_FILE: url } },
    ]
  })
  return [...everywhere, ...here]
}

let files = 0

function fileOf(folder: string, text: string): string {
  const file = join(folder, `url-${(files += 1)}`)
  writeFileSync(file, text)
  return file
}

const COMMANDS = [['check'], ['run', 'ledger', '--org', '1'], ['explain', 'ledger', '--org', '1']]

/** All that `serve` says within some seconds, in its log and on its operations port. */
async function saidByServe(settings: Readonly<Record<string, string>>): Promise<string> {
  const gateway = startProcess('serve', {
    ...settings,
    LOG_LEVEL: 'trace',
    CONNECT_TIMEOUT: '500ms',
  })
  const port = (): string | undefined =>
    /"server":"operations".*?"port":(\d+)|"port":(\d+).*?"server":"operations"/
      .exec(gateway.out)
      ?.slice(1)
      .find(Boolean)
  let hasEnded = false
  void gateway.exit.then(() => (hasEnded = true))
  await eventually(async () => hasEnded || port() !== undefined, 5000, 20)
  let said = ''
  if (!hasEnded) {
    await sleep(1200)
    for (const path of ['/readyz?verbose', '/metrics', '/livez']) {
      said += await fetch(`http://127.0.0.1:${port()}${path}`).then(
        response => response.text(),
        String,
      )
    }
    gateway.child.kill('SIGKILL')
    await gateway.exit
  }
  return said + gateway.out + gateway.err
}

const passwords: Scenario = {
  fault: 'A40',
  name: 'passwords',
  hypothesis:
    'A password with @ / : # ? , shows in no error of settings or databases, of no command, not even a part of it',
  longestMs: 600_000,
  async run(world) {
    const all = failures(world)
    const shown = new Set<string>()
    let outputs = 0
    let bytes = 0
    const check = (text: string, what: string): void => {
      outputs += 1
      bytes += text.length
      const found = shownIn(text)
      if (found.length > 0) shown.add(`${what}: ${found.join(' ')}`)
    }
    let next = 0
    const worker = async (): Promise<void> => {
      for (let failure = all[next++]; failure !== undefined; failure = all[next++]) {
        const { what, settings } = failure
        const sqlDir = { SQL_DIR: `${PRODUCT}/sql` }
        check(await saidByServe({ ...sqlDir, ...settings }), `serve, ${what}`)
        const command = COMMANDS[outputs % COMMANDS.length] ?? []
        const { stdout, stderr } = await svodka(command, {
          ...sqlDir,
          CONNECT_TIMEOUT: '500ms',
          ...settings,
        })
        check(stdout + stderr, `${command[0]}, ${what}`)
      }
    }
    await Promise.all([worker(), worker(), worker()])
    return [
      { name: 'outputs', value: outputs, exactly: all.length * 2 },
      { name: 'bytes of them', value: bytes, atLeast: all.length * 100 },
      {
        name: 'with parts of it',
        value: shown.size,
        exactly: 0,
        detail: [...shown].join('; '),
      },
    ]
  },
}

const HEAP_KEY = 'key of organization 7'
const UNKNOWN_KEY = 'sk_unknown_Zrtyqw_1234567890'

const heapSnapshot: Scenario = {
  fault: 'A41',
  name: 'heap-snapshot',
  hypothesis:
    'After 100 requests and closed connections neither a valid nor an unknown key is in the heap, in no form',
  async run(world) {
    world.hasOtherClients = true
    const gateway = await world.gateway({
      settings: WITH_SNAPSHOTS,
    })
    let valid = 0
    for (let at = 0; at < 100; at += 1) {
      const key = at % 4 === 3 ? UNKNOWN_KEY : HEAP_KEY
      const header = [
        `X-Api-Key: ${key}`,
        `Authorization: Bearer ${key}`,
        `Authorization: Basic ${Buffer.from(`${key}:`).toString('base64')}`,
      ][at % 3]
      const path = at % 2 === 0 ? 'ping' : 'reports/ledger'
      const close = at % 5 === 0 ? 'Connection: close\r\n' : ''
      const { status } = await exchange(
        gateway.url,
        `GET /api/public/v1/${path} HTTP/1.1\r\nHost: a\r\n${header}\r\n${close}\r\n`,
      )
      if (status === 200) valid += 1
    }
    await sleep(500)
    const text = await takeSnapshot(world, gateway)
    const forms = [HEAP_KEY, UNKNOWN_KEY].flatMap(key => [
      key,
      Buffer.from(`${key}:`).toString('base64'),
    ])
    const found = forms.filter(form => text.includes(form))
    return [
      { name: 'requests with a valid key', value: valid, exactly: 75 },
      { name: 'the snapshot', value: text.length / 2 ** 20, unit: 'MiB', atLeast: 2 },
      { name: 'keys in it', value: found.length, exactly: 0, detail: found.join(', ') },
    ]
  },
}

export const secrets: readonly Scenario[] = [passwords, heapSnapshot]
