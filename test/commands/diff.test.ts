// Two versions of a definition, compared on the standby with the demo's data.
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { command, expectCommand, standbySettings } from './in-process.ts'
import { replaceIn, sqlFolder } from './sql-folder.ts'

const CREATED = 'counted.created_at >= spans.starts_at) as created'

describe('svodka diff', () => {
  const SQL_DIR = sqlFolder('reports/tasks/tasks_by_month', 'metrics/tasks')
  const REPORT = join(SQL_DIR, 'reports/tasks/tasks_by_month.sql')
  const shipped = readFileSync(REPORT, 'utf8')
  let settings: Record<string, string>

  before(async () => {
    settings = await standbySettings(SQL_DIR)
    const git = (...args: string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '-C', SQL_DIR, ...args])
    git('init', '--quiet')
    git('add', '.')
    git('commit', '--quiet', '--message=shipped')
  })
  afterEach(() => writeFileSync(REPORT, shipped))

  function fileWith(name: string, found: string | RegExp, replaced: string): string {
    const path = join(SQL_DIR, '..', `${name}.sql`)
    cpSync(REPORT, path)
    replaceIn(path, found, replaced)
    return path
  }

  it('prints one line with costs if all results are equal', async () => {
    const slow = fileWith(
      'slow',
      "'infinity') >= :period_start_at",
      "'infinity') + '0 s' >= :period_start_at",
    )
    const { code, stdout, stderr } = await command(`diff tasks_by_month --base ${slow}`, settings)
    const [, ...buffers] =
      /^equal, (?:as fast|[\d.]+ times (?:faster|slower)) \([\d.,]+ ms \/ [\d.,]+ ms; ([\d,]+) \/ ([\d,]+) buffers\), 4 organizations x 6 periods\n$/.exec(
        stdout,
      ) ?? []
    expect({ code, stderr, of: buffers.length }, stdout).to.deep.equal({
      code: 0,
      stderr: '',
      of: 2,
    })
    const [base = 0, own = 0] = buffers.map(text => Number(text.replaceAll(',', '')))
    expect(own).to.be.above(0).and.below(base)
  })

  it('names cells, totals and the summary that differ from the last commit, and ends with 1', async () => {
    replaceIn(REPORT, CREATED, CREATED.replace(')', ' and not counted.is_done)'))
    const { code, stdout } = await command('diff tasks_by_month --org large', settings)
    expect(code).to.equal(1)
    expect(stdout).to.match(
      /^organization large, this year: month "\d{4}-\d\d": created: found \d+, expected \d+$/m,
    )
    expect(stdout).to.match(/^organization large, last year: and \d+ more cells$/m)
    expect(stdout).to.match(
      /^organization large, this year: total of created: found \d+, expected \d+$/m,
    )
    expect(stdout).to.match(/^organization large, this year: summary: found ".*", expected ".*"$/m)
    expect(stdout).to.match(/\ndifferent in 5 of 6, .* buffers\), 1 organization x 6 periods\n$/)
  })

  it('names rows that are missing or added by the key, and another order', async () => {
    const some = fileWith(
      'some',
      /(?=\norder by)/,
      "\nwhere to_char(figures.month, 'MM') is distinct from '03'",
    )
    const of = '--org large --from 2026-01-01 --to 2026-06-30'
    const { stdout } = await command(`diff tasks_by_month --base ${some} ${of}`, settings)
    const label = 'organization large, 2026-01-01 to 2026-06-30: '
    expect(stdout).to.match(
      new RegExp(`^${label}month "2026-03": a row is added\ndifferent in 1 of 1, .*\n$`),
    )
    cpSync(some, REPORT)
    const missing = await command(`diff tasks_by_month ${of}`, settings)
    expect(missing.stdout).to.match(
      new RegExp(`^${label}month "2026-03": the row is missing\ndifferent`),
    )
    writeFileSync(REPORT, shipped.replace(/(?<=\norder by ).*/, 'figures.month desc'))
    const moved = await command(`diff tasks_by_month ${of}`, settings)
    expect(moved.stdout).to.match(
      new RegExp(`^${label}order: row 1 is month "2026-06", expected month "2026-01"\n`),
    )
  })

  it('compares metrics, and names what differs', async () => {
    const base = join(SQL_DIR, '../metrics.sql')
    cpSync(join(SQL_DIR, 'metrics/tasks.sql'), base)
    replaceIn(base, 'open_tasks.tasks as', 'open_tasks.tasks + 1 as')
    const { code, stdout } = await command(
      `diff metrics/tasks --base ${base} --org empty`,
      settings,
    )
    expect(code).to.equal(1)
    expect(stdout).to.match(/^organization empty, this year: tasks_open: found 0, expected 1\n/)
  })

  it('does not end with 0 if no organization has rows', async () => {
    replaceIn(REPORT, 'figures.at_start,', 'figures.at_start + 0 as at_start,')
    const { code, stdout } = await command('diff tasks_by_month --org empty', settings)
    expect(code).to.equal(1)
    expect(stdout).to.match(/^equal, without a row, .* buffers\), 1 organization x 6 periods\n$/)
  })

  it('compares with the oracle beside it, which needs no front matter', async () => {
    const oracle = join(SQL_DIR, 'metrics/tasks.oracle.sql')
    await expectCommand('diff metrics/tasks --oracle', settings, {
      code: 2,
      stderr: `--oracle: there is no ${oracle}, expected naive SQL for the same columns.\n`,
    })
    cpSync('sql/metrics/tasks.oracle.sql', oracle)
    replaceIn(oracle, 'completed_on <= ', 'completed_on < ')
    const { code, stdout } = await command('diff metrics/tasks --oracle --org large', settings)
    expect(code).to.equal(1)
    expect(stdout).to.match(
      /^organization large, this year: tasks_on_time: found [\d.]+, expected [\d.]+\n/,
    )
    replaceIn(oracle, 'tasks.due_on,', 'tasks.due_one,')
    await expectCommand('diff metrics/tasks --oracle --org large', settings, {
      code: 1,
      stderr: /^\S+\/tasks.oracle.sql:\d+: column tasks.due_one does not exist/,
    })
    const [, own = ''] = readFileSync(join(SQL_DIR, 'metrics/tasks.sql'), 'utf8').split('---*/')
    writeFileSync(oracle, own)
    await expectCommand('diff metrics/tasks --oracle', settings, {
      code: 1,
      stderr: `${oracle}:1: found the definition's own statement, expected another way to the same figures\n`,
    })
  })

  it('names a wrong base, other columns, and the line of a base that fails', async () => {
    const refused = async (args: string, code: number, stderr: string | RegExp) =>
      expectCommand(`diff ${args}`, settings, { code, stderr })
    await refused(
      'tasks_by_mont',
      2,
      'There is no definition "tasks_by_mont", did you mean "tasks_by_month"?\n',
    )
    await refused(
      'tasks_by_month --base nope',
      2,
      /^--base nope: neither a file, nor a commit that has \S+\/tasks_by_month.sql \(.+\), expected one of both\.\n$/,
    )
    const renamed = join(SQL_DIR, 'reports/tasks/tasks_new.sql')
    writeFileSync(renamed, shipped.replace('Задачи по месяцам', 'Задачи'))
    await refused(
      'tasks_new',
      2,
      /^--base HEAD: neither a file, nor a commit that has \S+\/tasks_new.sql \(.+\), expected/,
    )
    const other = fileWith('other', /^ {2}at_start: +\{.*\n/m, '')
    await refused(
      `tasks_by_month --base ${other}`,
      1,
      /^\S+\/other.sql:1: found other columns, .* month, created .*, expected those of tasks_by_month: .* month, at_start integer, .*\n$/,
    )
    const broken = fileWith('broken', 'from figures', 'from figure')
    await refused(`tasks_by_month --base ${broken}`, 1, /^\S+\/broken.sql:\d+: .*figure/)
    const failing = fileWith('failing', 'figures.at_start,', 'figures.at_start / 0 as at_start,')
    await refused(
      `tasks_by_month --base ${failing} --org large`,
      1,
      /^\S+\/failing.sql: division by zero/,
    )
  })
})
