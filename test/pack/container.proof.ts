// The Containerfile, built and started with buildah on a base of Debian's packages and this machine's Node.js.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { freePort } from '../../src/demo/ports.ts'
import { eventually } from '../../src/demo/processes.ts'
import { asker } from '../harness/ask.ts'
import { sharedShops, shopsEnvironment } from '../harness/shops.ts'
import { skip } from '../harness/skip.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { isUp } from '../harness/until.ts'

const BASE = 'localhost/svodka-test-base'
const IMAGE = 'localhost/svodka-test'
const MAX_MIB = 60
/** Node's permission to use the certificate authority of a proxy, if this machine has one. */
const AUTHORITY = process.env['NODE_EXTRA_CA_CERTS']
const IN_BASE = '/usr/local/share/authority.pem'

const output = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

function makeBase(): void {
  const folder = join(temporaryFolder(), 'base')
  output('debootstrap', '--variant=minbase', '--include=make', 'bookworm', folder)
  const npm = dirname(dirname(output('readlink', '-f', output('which', 'npm'))))
  copyFileSync(process.execPath, join(folder, 'usr/bin/node'))
  mkdirSync(join(folder, 'usr/lib/node_modules'), { recursive: true })
  cpSync(npm, join(folder, 'usr/lib/node_modules/npm'), { recursive: true })
  for (const name of ['npm', 'npx'])
    output('ln', '-s', `../lib/node_modules/npm/bin/${name}-cli.js`, join(folder, 'usr/bin', name))
  const container = output('buildah', 'from', 'scratch')
  if (AUTHORITY !== undefined) {
    copyFileSync(AUTHORITY, join(folder, IN_BASE))
    output('buildah', 'config', '--env', `NODE_EXTRA_CA_CERTS=${IN_BASE}`, container)
  }
  output('buildah', 'add', '--quiet', container, folder, '/')
  output('buildah', 'commit', '--quiet', '--rm', container, BASE)
}

describe('the image of the Containerfile', function () {
  this.timeout(600_000)
  let container: string
  let server: ChildProcess | undefined

  before(function () {
    if (process.getuid?.() !== 0) skip(this, 'debootstrap needs root')
    for (const program of ['debootstrap', 'buildah'])
      try {
        output('which', program)
      } catch {
        skip(this, `there is no ${program}: install ${program}`)
      }
    makeBase()
    const images = ['BUILD_IMAGE', 'IMAGE'].flatMap(name => ['--build-arg', `${name}=${BASE}`])
    const options = ['--isolation', 'chroot', '--format', 'docker', '--no-cache', ...images]
    output('buildah', 'bud', ...options, '-f', 'config/container/Containerfile', '-t', IMAGE, '.')
    container = output('buildah', 'from', IMAGE)
  })
  after(() => {
    server?.kill('SIGKILL')
    if (container === undefined) return
    output('buildah', 'rm', container)
    output('buildah', 'rmi', '--force', IMAGE, BASE)
  })

  const run = (command: readonly string[], settings: NodeJS.ProcessEnv = {}): ChildProcess => {
    const variables = Object.entries(settings).flatMap(([name, value]) => [
      '--env',
      `${name}=${value}`,
    ])
    const options = ['run', '--isolation', 'chroot', ...variables, container, '--']
    return spawn('buildah', [...options, ...command], { stdio: ['ignore', 'pipe', 'inherit'] })
  }
  const printed = async (...command: readonly string[]): Promise<string> => {
    const child = run(command)
    let text = ''
    child.stdout!.on('data', chunk => (text += chunk))
    await once(child, 'close')
    return text.trim()
  }
  const imageConfig = (): {
    readonly Cmd: string[]
    readonly Healthcheck: { readonly Test: string[] }
  } => JSON.parse(output('buildah', 'inspect', '--type', 'image', IMAGE)).Docker.config

  it('holds what a server needs, and no test, compiler or source', async () => {
    expect((await printed('ls')).split('\n')).to.have.members([
      'dist',
      'node_modules',
      'package.json',
      'sql',
    ])
    expect((await printed('ls', 'dist')).split('\n')).to.have.members(['revision', 'src'])
    expect(Number.parseInt(await printed('du', '-sm', '.'), 10)).to.be.below(MAX_MIB)
  })

  it('serves reports as a user without rights, is healthy, and drains after SIGTERM', async () => {
    const [port, opsPort] = [await freePort(), await freePort()]
    const ports = { PORT: `${port}`, OPS_PORT: `${opsPort}` }
    const { DATABASE_URL } = shopsEnvironment(await sharedShops())
    // why: the image has the definitions of another product, and no mount works without a container runtime
    output('buildah', 'copy', container, 'test/fixtures/shops/sql', '/opt/svodka/sql-of-shops')
    const settings = { ...ports, DATABASE_URL, SQL_DIR: '/opt/svodka/sql-of-shops' }
    const { Cmd, Healthcheck } = imageConfig()
    server = run(Cmd, settings)
    server.stdout!.resume()
    const exit = once(server, 'exit')
    const isReady = () => isUp(`http://127.0.0.1:${opsPort}/readyz`)
    expect(await eventually(isReady, 60_000)).to.equal(true)
    const ask = asker(`http://127.0.0.1:${port}`, 'key of shop 1')
    expect((await ask('/reports/receipts')).status).to.equal(200)
    const pid = output('pgrep', '-n', '-u', '10001', '-f', '^/usr/bin/node dist/src/main.js serve')
    const [kind, ...command] = Healthcheck.Test
    expect(kind).to.equal('CMD')
    const healthOf = async (opsPortOf: string): Promise<number> =>
      (await once(run(command, { OPS_PORT: opsPortOf }), 'exit'))[0]
    expect(await healthOf(`${opsPort}`)).to.equal(0)
    expect(await healthOf(`${await freePort()}`)).to.equal(1)
    process.kill(Number(pid), 'SIGTERM')
    expect((await exit)[0]).to.equal(0)
  })
})
