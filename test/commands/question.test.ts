// How a command finds whom it asks, about what, and where.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { CommandError } from '../../src/commands/exit.ts'
import { withQuestion } from '../../src/commands/question.ts'
import type { Question, QuestionOptions } from '../../src/commands/question.ts'
import { DEMO_ORGANIZATIONS } from '../sql/subject.ts'
import { sharedCluster } from '../support/cluster.ts'
import { svodka } from '../support/svodka.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('the question of an author', function () {
  this.timeout(60_000)
  let environment: NodeJS.ProcessEnv
  const folder = temporaryFolder()

  before(async () => {
    const { urlFor } = await sharedCluster()
    environment = {
      DATABASE_URL: urlFor('svodka_reports', 'replica'),
      KEYS_DATABASE_URL: urlFor('svodka_keys', 'replica'),
    }
  })

  async function asked(options: QuestionOptions, name = 'profit_loss'): Promise<Question> {
    let found: Question | undefined
    await withQuestion(name, options, environment, async question => {
      found = question
      return 0
    })
    if (found === undefined) throw new Error('nothing was asked')
    return found
  }

  async function refusal(options: QuestionOptions, name?: string): Promise<string> {
    const error: unknown = await asked(options, name).catch((error: unknown) => error)
    if (error instanceof CommandError) return `${error.exitCode}: ${error.message}`
    throw error
  }

  function keyFile(key: string): string {
    const path = join(folder, 'key')
    writeFileSync(path, `${key}\n`)
    return path
  }

  const [business, vladivostok] = DEMO_ORGANIZATIONS

  it('finds an organization by its nickname, with its time zone', async () => {
    const { request } = await asked({ org: 'vladivostok' })
    const { id, timeZone } = vladivostok
    expect(request.organization).to.include({ id, timeZone, idType: 'uuid' })
  })

  it('finds one by its id', async () => {
    expect((await asked({ org: business.id })).request.organization.id).to.equal(business.id)
  })

  it('finds one by its key', async () => {
    const { request } = await asked({ keyFile: keyFile('sk_demo_vladivostok') })
    expect(request.organization.id).to.equal(vladivostok.id)
  })

  it('asks for one below the tier too, and says that the API does not', async () => {
    const settings = environment as Record<string, string>
    const args = ['run', 'tasks', '--key-file', '-']
    const { code, stderr } = await svodka(args, settings, 'sk_demo_start\n')
    expect(code).to.equal(0)
    expect(stderr).to.contain('the API answers 402 module_locked to it')
  })

  it('takes the current year there, or the days that are named', async () => {
    const year = new Date().getFullYear()
    const { request } = await asked({ org: 'business' })
    expect(request.period.end > `${year}-12-31`).to.equal(true)
    const { request: other } = await asked({
      org: 'business',
      from: '2025-02-01',
      to: '2025-02-28',
    })
    expect(other.period).to.deep.equal({ start: '2025-02-01', end: '2025-03-01' })
  })

  for (const [name, file] of Object.entries({
    profit_loss: 'sql/reports/finance/profit_loss.sql',
    'metrics/finance': 'sql/metrics/finance.sql',
    tasks: 'sql/metrics/tasks.sql',
    'finance/debts': 'sql/reports/finance/debts.sql',
    'sql/reports/finance/debts.sql': 'sql/reports/finance/debts.sql',
  })) {
    it(`finds the definition ${name}`, async () => {
      expect((await asked({ org: 'business' }, name)).request.definition.file).to.equal(file)
    })
  }

  it('suggests the likely definition', async () => {
    expect(await refusal({ org: 'business' }, 'profit_los')).to.equal(
      '2: There is no definition "profit_los", did you mean "profit_loss"?',
    )
    expect(await refusal({ org: 'business' }, 'nothing_like_it')).to.equal(
      '2: There is no definition "nothing_like_it", `svodka list` shows them',
    )
  })

  it('suggests the likely organization', async () => {
    expect(await refusal({ org: 'buisness' })).to.equal(
      '2: There is no organization "buisness", did you mean "business"?',
    )
    expect(await refusal({ org: '77' })).to.equal(
      '2: There is no organization "77", expected an id or one of business, empty, large, vladivostok',
    )
  })

  it('refuses none and two ways to an organization', async () => {
    expect(await refusal({})).to.match(/^2: Found neither --org nor --key-file, expected/)
    expect(await refusal({ org: 'large', keyFile: 'x' })).to.match(/^2: Found both/)
  })

  it('refuses a key that is revoked, or that nobody has, and does not print it', async () => {
    for (const key of ['sk_demo_revoked', 'sk_nobody', 'ключ']) {
      const said = await refusal({ keyFile: keyFile(key) })
      expect(said).to.match(/^2: The key in \S+ is unknown or revoked\.$/)
      expect(said).not.to.contain('sk_')
    }
  })

  it('says that a file holds no key', async () => {
    expect(await refusal({ keyFile: keyFile(' ') })).to.match(/^2: --key-file: \S+ holds no key/)
  })

  it('judges before a database is looked for what needs none', async () => {
    const usual = environment
    environment = { DATABASE_URL: 'postgres://127.0.0.1:1/product', PORT: 'many' }
    for (const options of [
      {},
      { keyFile: keyFile('') },
      { org: 'business', from: 'may' },
      { org: 'business', to: 'may' },
      { org: 'business', from: '2026-02-01', to: '2026-01-01' },
    ]) {
      expect(await refusal(options)).to.match(/^2: /)
    }
    environment = usual
  })

  it('says where organizations are asked, and by which role', async () => {
    const usual = environment
    const { KEYS_DATABASE_URL: _, ...reportsAlone } = usual
    environment = reportsAlone
    const said = await refusal({ org: 'business' })
    environment = usual
    expect(said).to.match(
      /^3: The database cannot be asked: permission denied for \w+ \w+\. Organizations and keys are asked at KEYS_DATABASE_URL, or at DATABASE_URL where that is not set, as now, here by the role svodka_reports: /,
    )
  })

  it('says which file of a key cannot be read', async () => {
    expect(await refusal({ keyFile: '/nowhere/key' }))
      .to.contain('"/nowhere/key"')
      .and.contain('ENOENT')
  })

  it('refuses a period as the API does', async () => {
    expect(await refusal({ org: 'business', from: '2026-13-01' })).to.match(
      /^2: Parameter from is "2026-13-01"; expected a date/,
    )
  })

  it('ends with 3 where the database cannot be asked, without its password', async () => {
    const usual = environment
    environment = { DATABASE_URL: 'postgres://svodka:hidden@127.0.0.1:1/product' }
    const said = await refusal({ org: 'business' })
    environment = usual
    expect(said).to.match(/^3: The database cannot be asked: .*ECONNREFUSED/)
    expect(said).not.to.contain('hidden')
  })
})
