// Passwords must not appear in any output.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atLeast, exactly } from '../harness/figures.ts'
import type { Scenario } from '../harness/scenario.ts'
import { PRODUCT } from '../harness/servers.ts'
import type { Stage } from '../harness/stage.ts'
import { listening, startProcess } from '../harness/process.ts'
import { svodka } from '../harness/svodka.ts'

/** Its pieces occur in no other text, so that a remaining part is detected. */
const PASSWORD = 'Qzkwvj@Xbnmtr/Plfghd:Zrtyqw#Vmcnxk?Jhgwpz,Kxqvbd'
const PIECES = PASSWORD.split(/\W/)

interface Failure {
  readonly what: string
  readonly settings: Readonly<Record<string, string>>
}

/** Settings that fail in different ways. */
function failures({ servers, folder }: Stage): Failure[] {
  const encoded = encodeURIComponent(PASSWORD)
  const { port } = servers.one
  const user = `svodka_reports:${encoded}`
  const here = `postgres://${user}@127.0.0.1:${port}/product`
  const urls: Record<string, string> = {
    'wrong password': here,
    'not encoded': here.replace(encoded, PASSWORD),
    'half encoded': here.replace(encoded, PASSWORD.replaceAll('@', '%40')),
    'broken escape': here.replace(encoded, `%zz${PASSWORD}`),
    'unknown role': here.replace('svodka_reports', 'unknown'),
    'unknown database': here.replace('/product', '/nothing'),
    'closed port': `postgres://${user}@127.0.0.1:1/product`,
    'unknown host': `postgres://${user}@nothing.invalid:5432/product`,
    'no host': `postgres://${user}@/product`,
    'no port': `postgres://${user}@127.0.0.1:port/product`,
    'another scheme': `mysql://${user}@127.0.0.1/product`,
    'no scheme': `svodka_reports:${PASSWORD}@127.0.0.1:${port}/product`,
    'words of libpq': `host=127.0.0.1 port=${port} user=svodka_reports password='${PASSWORD}'`,
    'in the query': `postgres://127.0.0.1:${port}/product?user=svodka_reports&password=${encoded}`,
    'in the user': `postgres://${encoded}@127.0.0.1:${port}/product`,
    'bad sslmode': `${here}?sslmode=bogus`,
    'no TLS there': `${here}?sslmode=require`,
    'no certificate': `${here}?sslrootcert=/${encoded}`,
    'bad options': `${here}?options=-c%20a%3D${encoded}`,
    'the same twice': [here, here].join(','),
  }
  const good = servers.url('svodka_keys', servers.primary.port)
  return Object.entries(urls).flatMap(([what, url], at) => {
    const file = join(folder, `url-${at}`)
    writeFileSync(file, url)
    const settings: Record<string, Failure['settings']> = {
      setting: { DATABASE_URL: url },
      file: { DATABASE_URL_FILE: file },
      'file that is a URL': { DATABASE_URL_FILE: url },
    }
    if (['wrong password', 'not encoded', 'closed port', 'bad sslmode'].includes(what)) {
      settings['keys'] = { DATABASE_URL: good, KEYS_DATABASE_URL: url }
      settings['probe'] = { DATABASE_URL: good, PROBE_DATABASE_URL: url }
      settings['misspelt'] = { DATABASE_URL: good, KEY_DATABASE_URL: url }
      settings['both'] = { DATABASE_URL: url, DATABASE_URL_FILE: url }
    }
    return Object.entries(settings).map(([where, its]) => ({
      what: `${where}, ${what}`,
      settings: { SQL_DIR: `${PRODUCT}/sql`, ...its },
    }))
  })
}

const COMMANDS = [['check'], ['run', 'ledger', '--org', '1'], ['explain', 'ledger', '--org', '1']]

/** Output of `serve` within some seconds, in its log and on its operations port. */
async function saidByServe(settings: Failure['settings']): Promise<string> {
  const gateway = startProcess('serve', { ...settings, LOG_LEVEL: 'trace' })
  const ended = gateway.exit.then(() => undefined)
  const addresses = await Promise.race([ended, listening(gateway).catch(() => undefined)])
  let said = ''
  if (addresses) {
    await sleep(1200)
    for (const path of ['/readyz?verbose', '/metrics', '/livez']) {
      said += await fetch(addresses.opsUrl + path).then(response => response.text(), String)
    }
  }
  gateway.child.kill('SIGKILL')
  await gateway.exit
  return said + gateway.out + gateway.err
}

export const secrets: readonly Scenario[] = [
  {
    name: 'A40 passwords',
    hypothesis:
      'No part of a password with @ / : # ? , appears in any error of settings or databases, for any command',
    longestMs: 600_000,
    async run(stage) {
      const all = failures(stage)
      const shown = new Set<string>()
      let outputs = 0
      let bytes = 0
      const check = (text: string, what: string): void => {
        outputs += 1
        bytes += text.length
        const lower = text.toLowerCase()
        const found = PIECES.filter(piece => lower.includes(piece.toLowerCase()))
        if (found.length > 0) shown.add(`${what}: ${found.join(' ')}`)
      }
      let next = 0
      const worker = async (): Promise<void> => {
        for (let failure = all[next++]; failure !== undefined; failure = all[next++]) {
          const { what, settings } = failure
          check(await saidByServe(settings), `serve, ${what}`)
          const command = COMMANDS[outputs % COMMANDS.length] ?? []
          const { stdout, stderr } = await svodka(command, settings)
          check(stdout + stderr, `${command[0]}, ${what}`)
        }
      }
      await Promise.all([worker(), worker(), worker()])
      return [
        exactly('outputs', outputs, all.length * 2),
        atLeast('bytes of the outputs', bytes, all.length * 100),
        exactly('outputs with parts of the password', shown.size, 0, [...shown].join('; ')),
      ]
    },
  },
]
