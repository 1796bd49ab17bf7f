import { tmpdir } from 'node:os'
import { expect } from 'chai'
import { SETTINGS } from '../../src/config/settings.ts'
import { DATABASE_URL, problemsOf, read } from './read.ts'

interface Case {
  readonly property: keyof typeof SETTINGS
  readonly good: Readonly<Record<string, unknown>>
  readonly bad: readonly string[]
}

const url = {
  good: {
    'postgres://a@h/d': 'postgres://a@h/d',
    'postgresql://a:b%23c@[::1]:5433/d?sslmode=require':
      'postgresql://a:b%23c@[::1]:5433/d?sslmode=require',
    'postgres:///erp?host=/run/postgresql': 'postgres:///erp?host=/run/postgresql',
  },
  bad: ['mysql://a@h/d', 'h:5432/d', 'postgres://', 'postgres://a:b#c@h/d', 'postgres://a@h:x/d'],
}
const urls = {
  good: {
    'postgres://a@h/d': ['postgres://a@h/d'],
    'postgres://a@h/d, postgresql://a@i/d': ['postgres://a@h/d', 'postgresql://a@i/d'],
  },
  bad: [...url.bad, 'postgres://a@h/d,', 'postgres://a@h/d,postgres://a:b#c@i/d'],
}
const host = {
  good: { '0.0.0.0': '0.0.0.0', '::1': '::1', 'gateway-1.example': 'gateway-1.example' },
  bad: ['localhost:80', '127.0.0', 'http://h', 'a b', '-..-'],
}
const port = {
  good: { '0': 0, '65535': 65_535, ' 81 ': 81 },
  bad: ['65536', '-1', '0x10', '1e3', 'http', '8080.0'],
}
const wait = {
  good: { '500ms': 500, '5s': 5000, '0.5m': 30_000, '7': 7000, '1.005s': 1005 },
  bad: ['0', '31s', '5 seconds', '-5s', '5S', 'Infinity', '0.0001ms'],
}
const duration = { good: { '10m': 600_000, '1h': 3_600_000 }, bad: ['2h', 'soon', '1d'] }
const bytes = {
  good: { '65536': 65_536, '64KiB': 65_536, '1MiB': 1_048_576, '100KB': 100_000, '2MB': 2_000_000 },
  bad: ['64k', '0', '1e9', '-1', '9999999GiB', '1.5'],
}

const cases: readonly Case[] = [
  { property: 'databaseUrls', ...urls },
  { property: 'keysDatabaseUrls', ...urls },
  { property: 'keysMaxLagMs', good: { '2s': 2000, '1h': 3_600_000 }, bad: ['1s', '2h', 'any'] },
  {
    property: 'probeDatabaseUrls',
    good: { 'postgres://a@h/d': ['postgres://a@h/d'] },
    bad: urls.bad,
  },
  { property: 'sqlDir', good: { [tmpdir()]: tmpdir() }, bad: ['/no/such/folder', '/etc/hostname'] },
  { property: 'host', ...host },
  { property: 'port', ...port },
  { property: 'opsHost', ...host },
  { property: 'opsPort', ...port },
  { property: 'cacheMaxBytes', ...bytes },
  { property: 'cacheMaxEntryBytes', ...bytes },
  { property: 'spoolMaxBytes', good: { '0': 0, '1GiB': 2 ** 30 }, bad: ['-1', '2TiB', 'much'] },
  { property: 'reportPoolSize', good: { '1': 1, '500': 500 }, bad: ['0', '501', '2.5', 'two'] },
  { property: 'keysPoolSize', good: { '1': 1, '2': 2 }, bad: ['0', '3'] },
  { property: 'prepared', good: { auto: 'auto', OFF: 'off' }, bad: ['on', 'never'] },
  { property: 'connectTimeoutMs', ...wait },
  { property: 'queueTimeoutMs', ...wait },
  {
    property: 'organizationBudget',
    good: {
      '30s/1m': { executionMs: 30_000, windowMs: 60_000 },
      '90 / 1h': { executionMs: 90_000, windowMs: 3_600_000 },
    },
    bad: ['30s', '30s/1m/1h', '30s/', '0.5s/1m', '30s/25h', 'off', '30 per minute'],
  },
  { property: 'keyTimeoutMs', ...wait },
  { property: 'stallTimeoutMs', ...duration },
  { property: 'maxConnections', good: { '1': 1, '10000': 10_000 }, bad: ['0', '-1', 'all'] },
  { property: 'maxRequestsPerOrganization', good: { '1': 1, '256': 256 }, bad: ['0', 'many'] },
  { property: 'keepAliveWithoutKeyMs', good: { '1s': 1000, '1h': 3_600_000 }, bad: ['0', '2h'] },
  { property: 'maxUnauthorizedInARow', good: { '0': 0, '20': 20 }, bad: ['-1', 'never'] },
  { property: 'drainDelayMs', ...duration },
  { property: 'drainTimeoutMs', ...duration },
  {
    property: 'logLevel',
    good: { trace: 'trace', WARN: 'warn', silent: 'silent' },
    bad: ['loud', '30'],
  },
  { property: 'logRequests', good: { all: 'all', summary: 'summary' }, bad: ['none'] },
  { property: 'slowRequestMs', ...duration },
  {
    property: 'allowPrimary',
    good: { true: true, '1': true, yes: true, False: false, '0': false, no: false },
    bad: ['maybe', '2'],
  },
]

describe('settings', () => {
  it('has a case here for every setting', () => {
    expect(cases.map(({ property }) => property)).to.deep.equal(Object.keys(SETTINGS))
  })

  for (const { property, good, bad } of cases) {
    const { name } = SETTINGS[property]

    it(`takes good values of ${name}`, () => {
      for (const [text, value] of Object.entries(good)) {
        expect(read({ [name]: text })[property], text).to.deep.equal(value)
      }
    })

    it(`refuses bad values of ${name}, saying what was expected`, () => {
      for (const text of bad) {
        const problems = problemsOf({ DATABASE_URL, [name]: text })
        expect(problems, text).to.have.lengthOf(1)
        expect(problems[0], text).to.match(new RegExp(`^${name} .*: expected `))
      }
    })
  }
})
