// The sentences that our reports of tasks say, read as a person would read them.
import { expect } from 'chai'
import { MARCH, YEAR, said } from './said.ts'

describe('the sentence of', () => {
  it('tasks_by_assignee tells what is done and what is late', () => {
    const fields = { done: '22', assignees: '5', on_time: '81.5', open: '21', overdue: '3' }
    expect(said('tasks_by_assignee', MARCH, 6, fields)).to.equal(
      'За март 2026 года выполнены 22 задачи у 5 исполнителей, в срок — 81,5 %, открыта 21 задача, в том числе просрочены 3.',
    )
    const none = { done: '0', assignees: '0', on_time: null, open: '0', overdue: '0' }
    expect(said('tasks_by_assignee', MARCH, 6, none)).to.equal(
      'За март 2026 года выполнено 0 задач, открытых задач не осталось.',
    )
  })

  it('tasks_by_assignee agrees with its numbers', () => {
    const fields = { done: '100', on_time: null, open: '1', overdue: '1' }
    const of = (assignees: string) =>
      said('tasks_by_assignee', MARCH, 30, { ...fields, assignees }).split(',')[0]
    expect(of('0')).to.equal('За март 2026 года выполнено 100 задач')
    expect(of('1')).to.equal('За март 2026 года выполнено 100 задач у 1 исполнителя')
    expect(of('2')).to.equal('За март 2026 года выполнено 100 задач у 2 исполнителей')
    expect(of('5')).to.equal('За март 2026 года выполнено 100 задач у 5 исполнителей')
    expect(of('21')).to.equal('За март 2026 года выполнено 100 задач у 21 исполнителя')
    expect(of('141')).to.equal('За март 2026 года выполнено 100 задач у 141 исполнителя')

    const late = (open: string, overdue: string) =>
      said('tasks_by_assignee', MARCH, 30, { ...fields, assignees: '1', open, overdue }).replace(
        /^.*исполнителя, /,
        '',
      )
    expect(late('1', '0')).to.equal('открыта 1 задача.')
    expect(late('1', '1')).to.equal('открыта 1 задача, в том числе просрочена 1.')
    expect(late('2', '2')).to.equal('открыты 2 задачи, в том числе просрочены 2.')
    expect(late('21', '5')).to.equal('открыта 21 задача, в том числе просрочено 5.')
    expect(late('25', '21')).to.equal('открыто 25 задач, в том числе просрочена 21.')
  })

  it('tasks_by_month tells what came, what is done and what is late', () => {
    const fields = { created: '30', done: '22', on_time: '81.5', open: '21', overdue: '3' }
    const of = (other: object) => said('tasks_by_month', YEAR, 11, { ...fields, ...other })
    expect(of({})).to.equal(
      'За 2026 год создано 30 задач, выполнены 22 задачи, в срок — 81,5 %, открыта 21 задача, в том числе просрочены 3.',
    )
    const none = { created: '0', done: '0', on_time: null, open: '0', overdue: '0' }
    expect(of(none)).to.equal(
      'За 2026 год создано 0 задач, выполнено 0 задач, открытых задач не осталось.',
    )
    expect(of({ created: '1', done: '1', open: '1', overdue: '1' })).to.match(
      /создана 1 задача, выполнена 1 задача, .* открыта 1 задача, в том числе просрочена 1\.$/,
    )
    expect(of({ created: '2', done: '5', open: '5', overdue: '0' })).to.match(
      /созданы 2 задачи, выполнено 5 задач, .* открыто 5 задач\.$/,
    )
    expect(of({ created: '21', done: '21', open: '22', overdue: '21' })).to.match(
      /создана 21 задача, выполнена 21 задача, .* открыты 22 задачи, в том числе просрочена 21\.$/,
    )
    expect(of({ open: '25', overdue: '5' })).to.match(
      /открыто 25 задач, в том числе просрочено 5\.$/,
    )
  })
})
