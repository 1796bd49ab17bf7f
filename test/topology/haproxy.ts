// The recipe of config/haproxy, started as it is, except for addresses and paths.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:https'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { serverAccount } from '../../src/demo/account.ts'
import { freePort } from '../../src/demo/ports.ts'
import { rawAsker } from '../harness/ask.ts'
import type { Addresses } from '../harness/process.ts'
import { skip } from '../harness/skip.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { until } from '../harness/until.ts'

const RECIPE = join(import.meta.dirname, '../../../config/haproxy/haproxy.cfg')
// why: on Debian haproxy is only in the PATH of root
const env = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` }

export interface FrontResponse {
  /** 0 without a complete response. */
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface Front {
  /** `https://127.0.0.1:PORT` */
  readonly url: string
  /** Verifies the certificate. */
  ask(path: string, headers?: Readonly<Record<string, string>>): Promise<FrontResponse>
  /** Reloads with other gateways; resolves when the new configuration is in use. */
  reload(gateways: readonly Addresses[]): Promise<void>
  log(): string
  stop(): Promise<void>
}

/** For hooks: skips with a reason if a program is not installed. */
export function needsHaproxy(context: Mocha.Context): void {
  const missing = [
    ['haproxy', 'haproxy', ['-v']],
    ['openssl', 'openssl', ['version']],
  ] as const
  for (const [program, debianPackage, options] of missing) {
    if (spawnSync(program, options, { env }).error === undefined) continue
    skip(context, `there is no ${program}: install ${debianPackage}`)
  }
}

/** Writes the recipe for these gateways. @throws Error if it does not contain a text that is replaced */
function writeRecipe(folder: string, port: number, gateways: readonly Addresses[]): void {
  const servers = gateways.map(({ url, opsUrl }) => {
    const { host, port: id } = new URL(url)
    return `    server gateway${id} ${host} id ${id} port ${new URL(opsUrl).port}\n`
  })
  let recipe = readFileSync(RECIPE, 'utf8')
  for (const [from, to] of [
    [':443', `127.0.0.1:${port}`],
    ['/etc/haproxy/svodka.pem', join(folder, 'svodka.pem')],
    [/( +server gateway.*\n)+/, servers.join('')],
  ] as const) {
    const adapted = recipe.replace(from, () => to)
    if (adapted === recipe) throw new Error(`the recipe does not contain ${from}`)
    recipe = adapted
  }
  writeFileSync(join(folder, 'haproxy.cfg'), recipe)
}

export async function startHaproxy(gateways: readonly Addresses[]): Promise<Front> {
  const folder = temporaryFolder()
  const account = serverAccount()
  const port = await freePort()
  const ca = makeCertificate(folder)
  writeRecipe(folder, port, gateways)
  for (const name of ['', 'svodka.pem']) account.give(join(folder, name))
  const child = spawn('haproxy', ['-W', '-f', join(folder, 'haproxy.cfg')], {
    ...account.ids,
    env,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (output += chunk))
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  const kill = (): void => void child.kill('SIGTERM')
  process.once('exit', kill)
  const url = `https://127.0.0.1:${port}`
  const agent = new Agent({ ca, keepAlive: true })

  const raw = rawAsker(url, { agent })
  const ask: Front['ask'] = (path, headers = {}) =>
    raw(path, headers).then(
      ({ bytes, ...response }) => ({ ...response, text: bytes.toString() }),
      (error: unknown) => ({ status: 0, headers: {}, text: String(error) }),
    )

  await until(async () => {
    if (child.exitCode !== null) throw new Error(`haproxy did not start: ${output}`)
    return (await ask('/')).status !== 0
  })
  return {
    url,
    ask,
    async reload(current) {
      writeRecipe(folder, port, current)
      const before = workersOf(child.pid)
      child.kill('SIGUSR2')
      await until(() => workersOf(child.pid).some(pid => !before.includes(pid)))
      // why: a new HAProxy worker regards gateways as up until its first checks
      await until(async () => (await ask('/')).status !== 0)
    },
    log: () => output,
    async stop() {
      agent.destroy()
      kill()
      await ended
      process.off('exit', kill)
    },
  }
}

function workersOf(pid = 0): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
}

/** Writes `svodka.pem` with certificate and key. @returns the certificate */
function makeCertificate(folder: string): string {
  const [certificate, key] = [join(folder, 'svodka.pem'), join(folder, 'svodka.key')]
  const options = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=svodka'.split(' ')
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1']
  execFileSync('openssl', [...options, ...names, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  })
  const ca = readFileSync(certificate, 'utf8')
  writeFileSync(certificate, ca + readFileSync(key, 'utf8'))
  return ca
}
