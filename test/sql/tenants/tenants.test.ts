// No definition shows or counts a row of another organization. Two organizations with the same ids, every row of
// which is marked, and an empty one are asked alone and side by side: the answers are the same.
import { expect } from 'chai'
import type { Client } from 'pg'
import { insertMarked, neverNothing, unmarked } from './marked-rows.ts'
import type { Mark } from './marked-rows.ts'
import type { Question } from '../oracles/oracle.ts'
import { productDatabase } from '../product-database.ts'
import type { FieldRow } from '../run.ts'
import { connected, ourCatalog } from '../subject.ts'
import { difference, plantedSubjects, subjectsOf, withoutOneCondition } from './subjects.ts'
import type { Sql, Subject } from './subjects.ts'

const ours: Mark = {
  organizationId: '0a000000-0000-4000-8000-000000000001',
  word: 'метка-альфа',
  digits: '111111',
  rows: 120,
  factor: 1,
  firstSection: 'financing',
}
const theirs: Mark = {
  organizationId: '0b000000-0000-4000-8000-000000000002',
  word: 'метка-бета',
  digits: '777777',
  rows: 180,
  factor: 1_000_003,
  firstSection: 'income',
}
const EMPTY = '0c000000-0000-4000-8000-000000000003'

const PERIODS = {
  'this year': { start: '2026-01-01', end: '2027-01-01' },
  'last year': { start: '2025-01-01', end: '2026-01-01' },
  'days on both sides of today': { start: '2026-10-20', end: '2026-12-20' },
  'a future year': { start: '2027-01-01', end: '2028-01-01' },
  'all years': { start: '1900-01-01', end: '3000-01-01' },
}

type Period = keyof typeof PERIODS
const periods = Object.keys(PERIODS) as Period[]

function question(period: Period): Question {
  return {
    period: PERIODS[period],
    today: '2026-11-21',
    now: '2026-11-21T09:30:00Z',
    timeZone: 'Europe/Moscow',
  }
}

function keyOf(organizationId: string, { name }: Subject, period: Period): string {
  return `${organizationId} ${name} ${period}`
}

function marksIn(answer: readonly FieldRow[], { word, digits }: Mark): string[] {
  const taxpayer = new RegExp(`^${digits}[0-9]{6}$`)
  return answer.flatMap((row, at) =>
    Object.entries(row)
      .filter(([, value]) => String(value).includes(word) || taxpayer.test(String(value)))
      .map(([key, value]) => `${key} of row ${at} is another's: ${value}`),
  )
}

/** A subquery that gives more than one row now says as much; a statement that is no SQL any more says nothing. */
function refusedAtRun(error: unknown): undefined {
  if (String(Object(error).code).startsWith('42')) throw error
  return undefined
}

describe('a tenant', function () {
  this.timeout(120_000)
  let client: Client

  const shipped = subjectsOf(ourCatalog())
  const planted = plantedSubjects()

  /** By organization, definition and period: with no other organization there, and with all. */
  const alone = new Map<string, FieldRow[]>()
  const together = new Map<string, FieldRow[]>()

  async function askAll(answers: Map<string, FieldRow[]>, organizationId: string): Promise<void> {
    for (const subject of [...shipped, ...planted]) {
      for (const period of periods) {
        const answer = await subject.ask(client, subject.sql, organizationId, question(period))
        answers.set(keyOf(organizationId, subject, period), answer)
      }
    }
  }

  before(async () => {
    client = await connected(await productDatabase('svodka_tenants'))
    await askAll(alone, EMPTY)
    for (const mark of [ours, theirs]) {
      await client.query('begin')
      await insertMarked(client, mark)
      await askAll(alone, mark.organizationId)
      await client.query('rollback')
    }
    for (const mark of [ours, theirs]) await insertMarked(client, mark)
    await client.query('analyze')
    for (const id of [EMPTY, ours.organizationId, theirs.organizationId]) await askAll(together, id)
  })

  after(() => client?.end())

  function answerOf(
    answers: Map<string, FieldRow[]>,
    id: string,
    subject: Subject,
    period: Period,
  ) {
    const answer = answers.get(keyOf(id, subject, period))
    if (answer === undefined) throw new Error(`no answer of ${subject.name}`)
    return answer
  }

  /** What is another's in the answers to an organization, as sentences. */
  function leaks(subject: Subject): string[] {
    return [ours.organizationId, theirs.organizationId, EMPTY].flatMap(id =>
      periods.flatMap(period => {
        const answer = answerOf(together, id, subject, period)
        const differs = difference(answer, answerOf(alone, id, subject, period))
        const foreign = [ours, theirs]
          .filter(mark => mark.organizationId !== id)
          .flatMap(mark => marksIn(answer, mark))
        const where = `${subject.name} for ${id} over ${period}`
        return [differs, ...foreign].filter(said => said !== '').map(said => `${where}: ${said}`)
      }),
    )
  }

  for (const mark of [ours, theirs]) {
    it(`whose mark is ${mark.word} has it in every text of every table`, async () => {
      expect(await unmarked(client, mark)).to.deep.equal([])
    })

    it(`whose mark is ${mark.word} has rows with no money, and rows with nothing in any two columns`, async () => {
      expect(await neverNothing(client, mark)).to.deep.equal([])
    })
  }

  for (const subject of shipped) {
    it(`is told by ${subject.name} what it would be told if it were alone`, () => {
      expect(leaks(subject)).to.deep.equal([])
    })

    it(`has rows for ${subject.name} in some period, and the empty one in none`, () => {
      const hasFacts = (id: string) =>
        periods.some(period =>
          subject.hasFacts(
            answerOf(alone, id, subject, period),
            answerOf(alone, EMPTY, subject, period),
          ),
        )
      const told = [ours.organizationId, theirs.organizationId, EMPTY].map(hasFacts)
      const advice =
        'no row of the marked organizations fits: does it filter by a text that organizations write themselves?'
      expect(told, advice).to.deep.equal([true, true, false])
    })

    it(`would be told another's by ${subject.name} without any one of its conditions`, async () => {
      const unnoticed: string[] = []
      for (const { condition, sql } of withoutOneCondition(subject.sql)) {
        const isSeen = (await isNoticed(subject, sql)) || (await isNoticedInRowOrder(subject, sql))
        if (!isSeen) unnoticed.push(condition)
      }
      expect(unnoticed).to.deep.equal([])
    })
  }

  for (const subject of planted) {
    it(`is seen to be told another's by a statement that ${subject.name}`, () => {
      expect(leaks(subject)).not.to.deep.equal([])
    })
  }

  /** Where twins of both tie, an index may hand each organization its own; the table has one order for all. */
  async function isNoticedInRowOrder(subject: Subject, sql: Sql): Promise<boolean> {
    const scans = ['enable_indexscan', 'enable_indexonlyscan', 'enable_bitmapscan']
    for (const name of scans) await client.query(`set ${name} = off`)
    try {
      return await isNoticed(subject, sql)
    } finally {
      for (const name of scans) await client.query(`reset ${name}`)
    }
  }

  /** Whether a changed statement gives some organization another answer, or none. */
  async function isNoticed(subject: Subject, sql: Sql): Promise<boolean> {
    for (const id of [ours.organizationId, theirs.organizationId, EMPTY]) {
      for (const period of periods) {
        const expected = answerOf(alone, id, subject, period)
        const answer = await subject
          .ask(client, sql, id, question(period))
          .catch((error: unknown) => refusedAtRun(error))
        if (answer === undefined || difference(answer, expected) !== '') return true
      }
    }
    return false
  }
})
