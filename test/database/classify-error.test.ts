import { expect } from 'chai'
import { Problem } from '../../src/model/errors.ts'
import {
  classify,
  replicaProblem,
  transportError,
} from '../../src/serve/database/classify-error.ts'
import { casesOf } from './table.ts'

const withCode = (code: string) => Object.assign(new Error('from PostgreSQL'), { code })

const CODES = `
  replica_unavailable | conflict  | 40001 40P01 72000
  replica_unavailable | transport | 57P01 57P02 57P03 57P04 08006 25P03 28000 3D000 58030
  replica_unavailable | elsewhere | 53300
  replica_unavailable | none      | 55P03
  report_timeout      | none      | 57014 25P04
  result_too_large    | none      | 53400
  internal_error      | none      | 42P01 42501 22012 25006 0A000 XX000 EACCES EPIPE
`

describe('an error of PostgreSQL or the transport', () => {
  for (const [outcome, remedy, codes = ''] of casesOf(CODES)) {
    it(`is ${outcome}, with the remedy "${remedy}": ${codes}`, () => {
      for (const code of codes.split(' ')) {
        const { problem, remedy: found } = classify(withCode(code))
        expect([problem.code, found], code).to.deep.equal([outcome, remedy])
      }
    })
  }

  it('says that the data changed only for a conflict', () => {
    const isSaid = (code: string): boolean =>
      classify(withCode(code)).problem.message.includes('data changed')
    expect(['40001', '57P01', '53300', '57014'].map(isSaid)).to.deep.equal([
      true,
      false,
      false,
      false,
    ])
  })

  it('is a transport error by its origin, unless PostgreSQL has a code for it', () => {
    for (const code of ['ECONNREFUSED', 'ENOTCONN', 'EIO', 'ERR_STREAM_DESTROYED', undefined]) {
      const broken = Object.assign(new Error('the connection broke'), { code })
      expect(classify(transportError(broken)).remedy, code).to.equal('transport')
    }
    expect(classify(transportError(withCode('53300'))).remedy).to.equal('elsewhere')
  })

  it('leaves a problem unchanged; its cause determines the remedy only if the replica is unavailable', () => {
    const gone = transportError(withCode('ECONNREFUSED'))
    for (const [problem, remedy] of [
      [replicaProblem('replica_unavailable', gone), 'transport'],
      [replicaProblem('replica_unavailable', undefined), 'none'],
      [replicaProblem('report_timeout', gone), 'none'],
      [new Problem('bad_range', () => ''), 'none'],
    ] as const) {
      expect(classify(problem)).to.deep.equal({ problem, remedy })
    }
  })

  it('is an internal error with its cause if it is unknown', () => {
    const cause = new TypeError('bug')
    expect(classify(cause).problem).to.include({ code: 'internal_error', cause })
  })
})
