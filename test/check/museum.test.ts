import { expect } from 'chai'
import { readToCheck } from '../../src/check/check.ts'
import { describeFinding } from '../../src/definitions/findings.ts'
import { askStandby } from './ask-standby.ts'
import { exhibits, expectedFrom, found, foundInFolder, type Asked, type Exhibit } from './museum.ts'

/** A check waits for PostgreSQL as long as for itself. */
const AT_ONCE = 3

/** Each finding is at its place, and there is no other. */
function expectFound(exhibit: Exhibit, asked: Asked, findings: readonly string[]): void {
  const expected = expectedFrom(exhibit, asked)
  const matches = expected.map(({ place, message }) =>
    findings.filter(finding => finding.startsWith(place) && finding.includes(message)),
  )
  if (findings.length === expected.length && matches.every(match => match.length === 1)) return
  expect(findings).to.deep.equal(expected.map(({ place, message }) => `${place}${message}`))
}

describe('the museum of broken definitions', () => {
  const all = exhibits()
  const told = all.filter(exhibit => expectedFrom(exhibit, 'without a database').length > 0)
  const ours = readToCheck('sql')
  const onReplica = new Map<Exhibit, string[]>()
  const inOurs: string[] = []

  before(async function () {
    this.timeout(120_000)
    const visits = [
      ...all.map(exhibit => async (ask: Asker) => {
        onReplica.set(exhibit, await found(exhibit, ask))
      }),
      ...ours.files.map(file => async (ask: Asker) => {
        const findings = await foundInFolder({ ...ours, files: [file], findings: [] }, ask)
        inOurs.push(...findings.map(describeFinding))
      }),
    ]
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        const { ask, close } = await askStandby()
        for (let visit = visits.pop(); visit !== undefined; visit = visits.pop()) await visit(ask)
        await close()
      }),
    )
  })

  it('is large, and each exhibit says what is wrong', () => {
    expect(all.length).to.be.above(40)
    const silent = all.filter(exhibit => expectedFrom(exhibit, 'on a replica').length === 0)
    expect(silent.map(({ name }) => name)).to.deep.equal([])
  })

  for (const exhibit of told) {
    it(`has ${exhibit.name}, found without a database`, async () =>
      expectFound(exhibit, 'without a database', await found(exhibit)))
  }

  for (const exhibit of all) {
    it(`has ${exhibit.name}, found on a replica`, () =>
      expectFound(exhibit, 'on a replica', onReplica.get(exhibit) ?? []))
  }

  it('has none of ours', () => {
    expect(ours.findings).to.deep.equal([])
    expect(inOurs).to.deep.equal([])
  })
})

type Asker = Awaited<ReturnType<typeof askStandby>>['ask']
