// Targets of `make` other than building, in a folder with the Makefile and its scripts.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { expect } from 'chai'
import { demoProcess, type DemoProcess } from './commands/demo-process.ts'
import { temporaryFolder } from './harness/temporary-folder.ts'

const folder = temporaryFolder()
for (const part of [
  'Makefile',
  'config',
  'package.json',
  'src/demo/free-ports.js',
  'src/demo/port-error.js',
])
  cpSync(part, `${folder}/${part}`, { recursive: true })

function make(
  target: string,
  settings: Readonly<Record<string, string>> = {},
  cwd = folder,
  more: string[] = [],
) {
  // why: an empty environment, because a make that executes this test passes variables to child makes
  const { PATH } = process.env
  return spawnSync('make', [target, ...more], { cwd, env: { PATH, ...settings }, encoding: 'utf8' })
}

async function listening(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

describe('make', () => {
  it('prints each target in one line, with its duration', () => {
    const { stdout } = make('help')
    const lines = stdout.trimEnd().split('\n')
    for (const line of lines) expect(line).to.match(/^make [a-z-]+ +\d+ (s|min) {2,}.{5,80}$/)
    const [, phony = ''] = /^\.PHONY: (.*)$/m.exec(readFileSync('Makefile', 'utf8')) ?? []
    const targets = phony.split(' ').filter(target => target !== 'free-ports')
    expect(lines.map(line => line.split(/ +/)[1])).to.deep.equal(targets)
  })
})

describe('ONLY', () => {
  it('may contain spaces and any signs', () => {
    const targets = ['bench', 'bench-quick', 'faults', 'attacks']
    const { stdout } = make('-n', { ONLY: "F1 'F2'; false" }, '.', targets)
    const lines = stdout.split('\n').filter(line => line.includes('node dist/test'))
    expect(lines).to.have.lengthOf(targets.length)
    expect(stdout).not.to.contain('ONLY=')
  })
})

describe('make clean', () => {
  const left = () => readdirSync(folder).toSorted()
  let all: string[]
  let demo: DemoProcess | undefined

  beforeEach(() => {
    cpSync('dist/src/demo', `${folder}/dist/src/demo`, { recursive: true })
    mkdirSync(`${folder}/node_modules`)
    mkdirSync(`${folder}/.demo/run`, { recursive: true })
    all = left()
  })
  afterEach(async () => demo?.kill())

  function expectRefused(inUse: string, pid: number): void {
    const refused = make('clean')
    expect(refused.stdout).to.equal('')
    expect(refused.stderr).to.match(
      new RegExp(
        `^${inUse} is in use by process ${pid} .*: stop it first, with Ctrl-C or kill ${pid}\\.\nmake: .*\n$`,
      ),
    )
    expect(refused.status).to.equal(2)
    expect(left()).to.deep.equal(all)
  }

  function expectClean(): void {
    expect(make('clean').status).to.equal(0)
    expect(left()).to.deep.equal(['Makefile', 'config', 'package.json', 'src'])
  }

  it('removes nothing while a demo is running, and prints how to stop it', async () => {
    demo = demoProcess(`${folder}/.demo/run`)
    await demo.says('Ready')
    const data = readdirSync(`${folder}/.demo/run`)
    expectRefused('.demo/run', demo.pid)
    expect(readdirSync(`${folder}/.demo/run`)).to.deep.equal(data)
    process.kill(demo.pid)
    expect(await demo.exit).to.equal(0)
    expectClean()
  })

  it('removes files after a crash, and does not fail if there are none', () => {
    writeFileSync(`${folder}/.demo/run/lock`, `${process.pid} before the last restart`)
    expectClean()
    expectClean()
  })
})

describe('make run and make watch', () => {
  it('name every port in use before they install and build', async () => {
    const [api, operations] = [await listening(), await listening()]
    const taken = (setting: string, port: number) =>
      `Port ${port} on 127.0.0.1 is taken: set ${setting} to another one, for example ${setting}=\\d+\n`
    const both = taken('PORT', api.port) + taken('OPS_PORT', operations.port)
    const one = taken('OPS_PORT', operations.port)
    for (const target of ['run', 'watch']) {
      for (const [PORT, said] of [
        [String(api.port), both],
        ['0', one],
      ] as const) {
        const made = make(target, { PORT, OPS_PORT: String(operations.port) })
        expect(made.stdout).to.equal('')
        expect(made.stderr).to.match(new RegExp(`^${said}make: .*free-ports.*\n$`))
        expect(made.status).to.equal(2)
      }
    }
    api.server.close()
    operations.server.close()
  })
})
