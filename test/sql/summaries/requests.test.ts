// The sentences that our reports of requests say, read as a person would read them.
import { expect } from 'chai'
import { MAY, said } from './said.ts'

describe('the sentence of', () => {
  it('requests_by_channel tells how soon customers were answered', () => {
    const fields = {
      received: '342',
      closed: '318',
      first_answer_median: '1.4',
      within_promise: '91.2',
    }
    expect(said('requests_by_channel', MAY, 4, fields)).to.equal(
      'За май 2026 года поступило 342 обращения, закрыто 318 обращений, медиана первого ответа — 1,4 часа, в обещанный срок — 91,2 %.',
    )
    const unanswered = { ...fields, first_answer_median: null, within_promise: null }
    expect(said('requests_by_channel', MAY, 4, unanswered)).to.equal(
      'За май 2026 года поступило 342 обращения, закрыто 318 обращений.',
    )
  })

  it('requests_by_assignee tells how many nobody has taken', () => {
    const fields = {
      received: '342',
      unassigned: '12',
      closed: '318',
      first_answer_median: '1.4',
      within_promise: '91.2',
    }
    const of = (other: object) => said('requests_by_assignee', MAY, 4, { ...fields, ...other })
    expect(of({})).to.equal(
      'За май 2026 года поступило 342 обращения, из них не назначено никому 12, закрыто 318 обращений, медиана первого ответа — 1,4 часа, в обещанный срок — 91,2 %.',
    )
    expect(of({ unassigned: '0' })).to.equal(
      'За май 2026 года поступило 342 обращения, закрыто 318 обращений, медиана первого ответа — 1,4 часа, в обещанный срок — 91,2 %.',
    )
    const silent = { unassigned: '1', first_answer_median: null, within_promise: null }
    expect(of({ ...silent, received: '1', closed: '0' })).to.equal(
      'За май 2026 года поступило 1 обращение, из них не назначено никому 1, закрыто 0 обращений.',
    )
    expect(of({ ...silent, received: '21', unassigned: '21', closed: '2' })).to.match(
      /поступило 21 обращение, из них не назначено никому 21, закрыто 2 обращения\.$/,
    )
    expect(of({ unassigned: '2' })).to.match(/, из них не назначено никому 2,/)
    expect(of({ first_answer_median: '1.0' })).to.match(/медиана первого ответа — 1 час,/)
    expect(of({ first_answer_median: '5.0' })).to.match(/медиана первого ответа — 5 часов,/)
  })
})
