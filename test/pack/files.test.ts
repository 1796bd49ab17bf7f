// The files for systemd, containers and Kubernetes: their settings exist, and their time to stop exceeds the drain.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { loadAll } from 'js-yaml'
import { readConfig } from '../../src/config/read-config.ts'
import type { Setting } from '../../src/config/setting.ts'
import { SETTINGS } from '../../src/config/settings.ts'
import { skip } from '../harness/skip.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'

const UNIT = 'config/systemd/svodka.service'
const CONTAINERFILE = 'config/container/Containerfile'
const COMPOSE = 'config/container/compose.yaml'
const KUBERNETES = 'config/kubernetes/svodka.yaml'
/** Of Node.js. */
const OTHERS = ['NODE_ENV', 'TMPDIR']

const textOf = (path: string): string => readFileSync(path, 'utf8')
const matches = (path: string, pattern: RegExp): string[] =>
  Array.from(textOf(path).matchAll(pattern), ([, found = '']) => found)
// oxlint-disable-next-line typescript/no-explicit-any -- why: files of other programs, whose schemas are not ours
const yamlOf = (path: string): any[] => loadAll(textOf(path)) as any[]

const [compose] = yamlOf(COMPOSE)
const [deployment, service, budget] = yamlOf(KUBERNETES)
const pod = deployment.spec.template.spec
const [container] = pod.containers

describe('the files for systemd, containers and Kubernetes', () => {
  const settings: readonly Setting[] = Object.values(SETTINGS)
  const known = new Set([
    ...OTHERS,
    ...settings.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name])),
  ])
  const variables = {
    [UNIT]: matches(UNIT, /^Environment=(\w+)=/gm),
    [CONTAINERFILE]: matches(CONTAINERFILE, /^ENV (.*)$/gm).flatMap(line =>
      Array.from(line.matchAll(/(\w+)=/g), ([, name = '']) => name),
    ),
    [COMPOSE]: Object.keys(compose.services.svodka.environment),
    [KUBERNETES]: container.env.map(({ name }: { name: string }) => name) as string[],
  }
  for (const [path, names] of Object.entries(variables))
    it(`set existing settings in ${path}`, () => {
      expect(names).to.have.length.above(2)
      expect(names.filter(name => !known.has(name))).to.deep.equal([])
    })

  it('give more time to stop than the drain takes', () => {
    const { drainDelayMs, drainTimeoutMs } = readConfig({ DATABASE_URL: 'postgres://u@h/d' })
    const seconds = [
      ...matches(UNIT, /^TimeoutStopSec=(\d+)$/gm),
      Number.parseInt(compose.services.svodka.stop_grace_period, 10),
      pod.terminationGracePeriodSeconds,
    ]
    expect(seconds).to.have.length(3)
    for (const each of seconds) expect(each * 1000).to.be.above(drainDelayMs + drainTimeoutMs)
  })

  it('read as secrets what systemd, compose and Kubernetes provide', () => {
    const provided = matches(UNIT, /^LoadCredential=([\w-]+):/gm)
    expect(matches(UNIT, /^Environment=\w+_FILE=%d\/(.*)$/gm)).to.deep.equal(provided)
    expect(Object.keys(compose.secrets)).to.deep.equal(provided)
    expect(compose.services.svodka.secrets).to.deep.equal(provided)
    const [{ mountPath }] = container.volumeMounts
    const files = [
      ...Object.values<string>(compose.services.svodka.environment),
      ...container.env.map(({ value }: { value: string }) => value),
    ].filter(value => value.startsWith('/run/'))
    expect(files).to.deep.equal(
      ['/run/secrets', mountPath].flatMap(folder => provided.map(name => `${folder}/${name}`)),
    )
  })

  it('probe the operations port, and select the same pods in Kubernetes', () => {
    const { name } = container.ports.find(
      ({ containerPort }: { containerPort: number }) =>
        containerPort === Number(SETTINGS.opsPort.default),
    )
    const paths = { startupProbe: '/livez', livenessProbe: '/livez', readinessProbe: '/readyz' }
    for (const [probe, path] of Object.entries(paths))
      expect(container[probe].httpGet, probe).to.deep.equal({ path, port: name })
    const { labels } = deployment.spec.template.metadata
    expect(deployment.spec.selector.matchLabels).to.deep.equal(labels)
    expect(service.spec.selector).to.deep.equal(labels)
    expect(budget.spec.selector.matchLabels).to.deep.equal(labels)
    const volumes = pod.volumes.map((volume: { name: string }) => volume.name)
    const mounts = container.volumeMounts.map((mount: { name: string }) => mount.name)
    expect(mounts).to.deep.equal(volumes)
  })

  it("pass systemd's checks, with an exposure of at most 1.3 of 10", function () {
    const unit = join(temporaryFolder(), 'svodka.service')
    // why: Node.js may be in another folder on this machine, which is a finding
    writeFileSync(unit, textOf(UNIT).replace('/usr/bin/node', process.execPath))
    const analyze = (...args: readonly string[]): void => {
      const { status, stdout, stderr, error } = spawnSync('systemd-analyze', [...args, unit], {
        encoding: 'utf8',
      })
      if (error !== undefined) skip(this, 'there is no systemd-analyze: install systemd')
      expect(status, stdout + stderr).to.equal(0)
      expect(stderr).to.equal('')
    }
    analyze('security', '--offline=true', '--threshold=13')
    analyze('verify')
  })
})
