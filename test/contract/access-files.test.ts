// Invalid files of sql/access/: `check`, the log and readiness report one finding for each fault.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { productSql } from '../harness/fixtures.ts'
import { startGateway, type TestGateway } from '../harness/gateway.ts'
import { createTestDatabase } from '../harness/test-database.ts'
import { readDocument } from '../harness/document.ts'
import { asker } from '../harness/ask.ts'
import { writeSqlFolder } from '../harness/sql-folder.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { until } from '../harness/until.ts'
import { command } from '../commands/in-process.ts'
import { FAULTS, FILES, KEYS, LIST, VALID, type Edit } from './access-faults.ts'
import { readyz, urlAs } from './gateways.ts'

describe('a file of sql/access/', () => {
  const folder = temporaryFolder()
  let DATABASE_URL: string
  let change: (sql: string) => Promise<void>
  let gateway: TestGateway | undefined
  let count = 0

  before(async () => {
    const database = await createTestDatabase('access_files', productSql('access'))
    DATABASE_URL = database.replicaUrl
    change = sql => database.change(sql)
  })
  afterEach(async () => {
    await gateway?.stop()
    gateway = undefined
  })

  function folderWith(...edits: readonly Edit[]): { DATABASE_URL: string; SQL_DIR: string } {
    const SQL_DIR = writeSqlFolder(join(folder, String((count += 1))), 'access')
    const texts: Record<string, string> = { ...FILES }
    for (const [file, find, replace] of edits) {
      expect(texts[file]).to.contain(find)
      texts[file] = texts[file]!.replace(find, () => replace)
    }
    for (const [file, text] of Object.entries(texts))
      writeFileSync(join(SQL_DIR, 'access', file), text)
    return { DATABASE_URL, SQL_DIR }
  }

  async function check(...edits: readonly Edit[]): Promise<{ findings: string[]; stderr: string }> {
    const { stdout, stderr } = await command('check', folderWith(...edits))
    // why: the gateway reports the same findings, without level and id
    const findings = stdout
      .split('\n')
      .filter(line => line !== '')
      .map(line => line.replace(/^(\S+) error: (.*) \[(?:product|load)\]$/, '$1 $2'))
    return { findings, stderr }
  }

  async function start(...edits: readonly Edit[]): Promise<TestGateway> {
    return (gateway = await startGateway(folderWith(...edits), { unready: true }))
  }

  const rejectionsOf = ({ observations }: TestGateway): string[] =>
    observations.flatMap(fact =>
      fact.kind === 'definition-refused' || fact.kind === 'access-degraded'
        ? [(fact.error as Error).message]
        : [],
    )

  for (const { title, edit, finding } of FAULTS) {
    it(`with a fault is one finding of check: ${title}`, async () => {
      const { findings } = await check(edit)
      expect(findings, findings.join('\n')).to.have.lengthOf(1)
      expect(findings[0]).to.match(new RegExp(`/access/${edit[0]}${finding}$`))
    })
  }

  // why: a gateway reports the same findings: a type, a plan, the list, and a row of the list
  const reported = /^(?:keys\.hash|as nickname|zone as -> nullif)/
  for (const { title, edit, finding } of FAULTS.filter(fault => reported.test(fault.title))) {
    it(`with a fault is reported at the start and by readiness: ${title}`, async () => {
      const started = await start(edit)
      await until(() => rejectionsOf(started).length > 0)
      expect(rejectionsOf(started)).to.have.lengthOf(1)
      expect(rejectionsOf(started)[0]).to.match(new RegExp(`/access/${edit[0]}${finding}$`))
      const line =
        edit[0] === KEYS
          ? String.raw`\[-\]definitions failed`
          : String.raw`\[\+\]definitions degraded`
      const pattern = new RegExp(`\n?${line}: sql/access/${edit[0]}${finding}\n`)
      // why: the finding is reported before all definitions are planned, for which readiness waits
      const text = await until(async () => pattern.exec(await readyz(started))?.input)
      const status = edit[0] === KEYS ? 503 : 200
      expect(text?.slice(0, 4)).to.equal(`${status} `)
      expect((await asker(started.url, 'key of moscow')('/ping')).status).to.equal(status)
    })
  }

  for (const [title, edits] of Object.entries(VALID)) {
    it(`with ${title} is valid`, async () => {
      const { findings } = await check(...edits)
      expect(findings).to.deep.equal([])
      const started = await start(...edits)
      await started.ready()
      expect(await readyz(started)).to.contain('[+]definitions ok\n')
      const { status } = await asker(started.url, 'key of moscow')('/ping')
      expect(status).to.equal(200)
      expect(rejectionsOf(started)).to.deep.equal([])
    })
  }

  it('with several faults has one finding for each, and the definitions are still checked', async () => {
    const { findings, stderr } = await check(
      [KEYS, 'true as', `'yes' as`],
      [KEYS, 'as key_hash', 'as hash_of_key'],
      [LIST, 'zone as', `replace(zone, 'U', 'X') as`],
      [LIST, 'as nickname', 'as nickname'],
    )
    expect(findings.map(line => /access\/(\w+).sql/.exec(line)?.[1])).to.deep.equal([
      'organization_by_key',
      'organization_by_key',
      'organizations',
    ])
    expect(stderr).to.contain('checked on the replica at DATABASE_URL')
  })

  it('that cannot be executed is a finding of check, and ends a command without a stack trace', async () => {
    for (const [edit, finding] of [
      [[LIST, 'zone as', 'zoned as'], /organizations\.sql:4: column "zoned" does not exist/],
      [
        [LIST, 'zone as', '1 / (length(zone) - length(zone)) || zone as'],
        /organizations\.sql: division by zero/,
      ],
    ] as const) {
      const { findings } = await check(edit)
      expect(findings.join('\n')).to.match(finding)
      const { code, stderr } = await command('run sales --org moscow', folderWith(edit))
      expect(stderr)
        .to.match(finding)
        .and.not.match(/\n {4}at /)
      expect(code).to.equal(1)
    }
  })

  it('with one fault in many rows has one finding', async () => {
    const { findings } = await check([LIST, 'zone as', 'null::text as'])
    expect(findings).to.have.lengthOf(1)
    expect(findings[0]).to.match(/organization "\w+": time_zone is null, expected an /)
  })

  it('with an invalid row of the requested organization is a finding of check', async () => {
    const settings = folderWith([LIST, 'zone as', `replace(zone, 'Moscow', 'Moskau') as`])
    const { code, stdout } = await command('check sales --org moscow', settings)
    expect(stdout).to.match(
      /^\S+organizations\.sql: error: organization "moscow": time_zone is .* \[product\]\n$/,
    )
    expect(code).to.equal(1)
  })

  it('with ids to which no text can be cast is a finding, and its keys are unavailable', async () => {
    const edit: Edit = [KEYS, 'keys.id as', 'row(keys.id, 1) as']
    const finding =
      /organization_by_key\.sql:4: organization_id is of the type "record", and no text can be cast to it$/
    expect((await check(edit)).findings[0]).to.match(finding)
    const started = await start(edit)
    await until(() => rejectionsOf(started).length > 0)
    expect(rejectionsOf(started)[0]).to.match(finding)
    expect((await asker(started.url, 'key of moscow')('/ping')).status).to.equal(503)
  })

  it('with hashes of a wrong length is a finding of check, and not proved if they are computed', async () => {
    const { findings } = await check([KEYS, 'keys.hash as', 'keys.text_hash as'])
    expect(findings).to.have.lengthOf(1)
    expect(findings[0]).to.match(
      /organization_by_key\.sql:3: column key_hash has 3 bytes in access\.keys, expected the 32 of SHA-256$/,
    )
    const computed = await check([KEYS, 'keys.hash as', 'keys.hash || keys.hash as'])
    expect(computed.findings).to.deep.equal([])
    expect(computed.stderr).to.contain(
      'Not proved: that key_hash of sql/access/organization_by_key.sql has 32 bytes.',
    )
  })

  const recipes = readDocument('sql/README.md').section('An index for the hash').blocks
  const COMPUTED = ["decode(keys.hash, 'hex')", "sha256(convert_to(keys.value, 'UTF8'))"]
  for (const [at, computed] of COMPUTED.entries()) {
    it(`that computes hashes of many keys is a finding until the column of sql/README.md: ${computed}`, async () => {
      const edits = (hash: string, more = ''): Edit[] => [
        [KEYS, 'keys.hash as', `${hash} as`],
        [KEYS, 'keys.hash = any', `${more}${hash} = any`],
        [KEYS, 'from access.keys', 'from access.many as keys'],
      ]
      const finding =
        /access\/organization_by_key\.sql:3: each look-up reads access\.many \(\d+ kB\) without an index for its key, expected one, as on a stored column of the hash: .*"An index for the hash"$/m
      // why: an index that finds other rows is none
      for (const more of ['', `keys.id = 'moscow' and `]) {
        const { findings } = await check(...edits(computed, more))
        expect(findings, findings.join('\n')).to.have.lengthOf(1)
        expect(findings[0]).to.match(finding)
      }
      const config = await command('serve --check-config', folderWith(...edits(computed)))
      expect(config.stdout)
        .to.match(finding)
        .and.match(/^\[\+\]definitions degraded: sql\/access/m)
      const started = await start(...edits(computed))
      await until(() => rejectionsOf(started).length > 0)
      expect(rejectionsOf(started).join('\n')).to.match(finding)
      await started.ready()
      expect(await readyz(started)).to.match(/^200 /)

      await change(recipes[at]!.text.replaceAll('api_keys', 'access.many'))
      expect((await check(...edits('keys.key_sha256'))).findings).to.deep.equal([])
      const cured = await startGateway(folderWith(...edits('keys.key_sha256')))
      const { status } = await asker(cured.url, 'key 77\\')('/ping')
      await cured.stop()
      await change('alter table access.many drop column key_sha256')
      expect(rejectionsOf(cured)).to.deep.equal([])
      expect(status).to.equal(200)
    })
  }

  it('that is corrected in the database is reported once, and the gateway becomes ready', async () => {
    await change(`create view access.flags as select 'yes'::text as entitled`)
    const started = await start([KEYS, 'true as', '(select flags.entitled from access.flags) as'])
    await until(() => rejectionsOf(started).length > 0)
    // why: the check is repeated after 2 s
    await new Promise(resolve => setTimeout(resolve, 2500))
    await change('drop view access.flags; create view access.flags as select true as entitled')
    await started.ready()
    expect(rejectionsOf(started)).to.have.lengthOf(1)
    expect((await asker(started.url, 'key of moscow')('/ping')).status).to.equal(200)
  })

  it('for the command line is not reported at the start if the keys role may not read its table', async () => {
    await change(
      `create table access.list as select id, zone from access.keys;
       create role keys_only login password 'keys_only';
       grant usage on schema access to keys_only;
       grant select on access.keys to keys_only`,
    )
    try {
      const edit: Edit = [LIST, 'from access.keys', 'from access.list']
      const KEYS_DATABASE_URL = urlAs('keys_only', DATABASE_URL)
      const started = (gateway = await startGateway({ ...folderWith(edit), KEYS_DATABASE_URL }))
      expect(await readyz(started)).to.contain('[+]definitions ok\n')
      expect(rejectionsOf(started)).to.deep.equal([])
    } finally {
      await change('drop owned by keys_only; drop role keys_only')
    }
  })
})
