import type { CheckpointWarning } from '../../core/checkpoint.js'

interface WarningRule {
  readonly code: string
  readonly title: string
  /** why a person who takes the thread over must know it; numbers are issues of langchain-ai/langgraph and langgraphjs */
  readonly reason: string
}

/** Everything a LangGraph store can make a person stumble over. The code is stable; the message names what was found. */
export const WARNINGS = [
  {
    code: 'next_is_not_done',
    title: 'getState().next is empty, and there is work left',
    reason: 'It counts a task as finished as soon as anything but an error or a question is stored for it.',
  },
  {
    code: 'next_depends_on_version',
    title: 'getState().next differs between versions of the library',
    reason:
      'Python changed in 1.2.14 what counts as finished (langgraph#6956), and a store does not name its version.',
  },
  {
    code: 'may_have_started',
    title: 'nothing is stored of a node that runs',
    reason:
      'A node that never started, one at a breakpoint and one that was killed after its last effect leave the same: nothing.',
  },
  {
    code: 'attempts_not_stored',
    title: 'a node that failed may have been tried several times',
    reason: 'A retry policy runs a node again inside one task and stores one error (langgraph#8702).',
  },
  {
    code: 'before_question_again',
    title: 'what comes before a question happens again',
    reason: 'A node that asks runs again from its first line after each answer (langgraph#6208, #7780).',
  },
  {
    code: 'answer_outcome_unknown',
    title: 'a question was answered, and nothing is stored after that',
    reason: 'The node went on with the answer and was stopped: its effects may have happened.',
  },
  {
    code: 'answer_reused',
    title: 'an open question would be given the answer to an earlier one',
    reason: 'A resume without input takes the stored answer for the next question of the same node.',
  },
  {
    code: 'commit_lost',
    title: 'a superstep is complete and was not committed',
    reason:
      'With durability "async" the next nodes start before the checkpoint is stored; their writes are lost with it.',
  },
  {
    code: 'lines_around_run_again',
    title: 'lines around a subgraph may run again',
    reason: 'A function that calls a subgraph runs from its first line; the subgraph alone goes on.',
  },
  {
    code: 'tool_calls_repeat',
    title: 'one node may run several tool calls again',
    reason: 'A tool node keeps no result until all its calls have one; a resume repeats every call.',
  },
  {
    code: 'answer_stored',
    title: 'a resume without an answer would use a stored one',
    reason: 'An answer given without the question’s id stays stored until the superstep is committed.',
  },
  {
    code: 'answer_leaves_no_trace',
    title: 'an open question may have been answered',
    reason: 'Python stores nothing for an answer that was given by the question’s id.',
  },
  {
    code: 'several_questions',
    title: 'more than one question waits',
    reason: 'An answer without an id goes to whichever is asked first, or is refused (langgraph#6108).',
  },
  {
    code: 'shared_interrupt_id',
    title: 'several questions share one id',
    reason:
      'Tools that run in parallel inside one node can ask under one id: an answer may reach the wrong one (langgraph#6533).',
  },
  {
    code: 'outcome_unknown',
    title: 'a task was aborted, which is not a failure',
    reason:
      'AbortError and CancelledError are recorded when a sibling failed; what the task did outside had gone on.',
  },
  {
    code: 'router_failed',
    title: 'a node is saved, and choosing what comes next failed',
    reason:
      'A resume takes the node for finished, runs nothing after it and returns normally (langgraph#8834).',
  },
  {
    code: 'stale_error',
    title: 'an error is stored for a task that is saved',
    reason: 'The task failed in an earlier run and succeeded later; the error row stays (langgraph#8833).',
  },
  {
    code: 'handler_runs_again',
    title: 'an error handler runs again although its result is stored',
    reason: 'Handlers are scheduled anew on every resume (langgraph#9002).',
  },
  {
    code: 'work_discarded',
    title: 'pending work or an open question was set aside',
    reason:
      'A new input starts the graph anew and drops what was pending (agent-chat-ui#85); a fork leaves it on the other branch.',
  },
  {
    code: 'set_by_hand',
    title: 'the state was set by a person',
    reason: 'updateState writes a checkpoint without running the nodes whose results it stores.',
  },
  {
    code: 'forked',
    title: 'the thread has more than one branch',
    reason:
      'Two workers on one thread, or a resume from an older checkpoint: what both branches did outside is real (langgraph#8796).',
  },
  {
    code: 'steps_not_stored',
    title: 'steps were run that are not in the store',
    reason:
      'With durability "exit" only the last checkpoint of a run is written, and nothing when the process is killed.',
  },
  {
    code: 'checkpoint_lost',
    title: 'tasks wrote to a checkpoint that is not stored',
    reason:
      'Checkpoints and writes are not stored in one commit (langgraph#8039, #8234): that work is invisible to a resume.',
  },
  {
    code: 'unnamed_tasks',
    title: 'results of sub-tasks whose names are not stored',
    reason:
      'A functional graph stores the result of each @task under a hash; it is used again in the order of the calls.',
  },
  {
    code: 'unmatched_writes',
    title: 'writes of a task that no known node explains',
    reason:
      'The ids of tasks depend on the graph’s code; a node shown as not finished may be the one that wrote them.',
  },
  {
    code: 'entrypoint_unnamed',
    title: 'the name of the functional entrypoint is not stored',
    reason: 'On its first run it stands only inside hashes; it is shown as __start__.',
  },
  {
    code: 'subtasks_run_again',
    title: 'results of sub-tasks inside a subgraph may not be used again',
    reason: 'On a resume they have been seen to run again (langgraph#6792, langgraphjs#2667).',
  },
  {
    code: 'join_ambiguous',
    title: 'a node’s name contains a plus sign',
    reason: 'Joins are stored as names joined by +: which nodes were waited for cannot be told for certain.',
  },
  {
    code: 'output_overwritten',
    title: 'a control row stands where an output was',
    reason:
      'The JavaScript SQLite saver before 1.0.3 could overwrite an output with a question (langgraphjs#2516).',
  },
  {
    code: 'bytes_changed_on_resume',
    title: 'stored bytes are changed when they are read back',
    reason: 'The JavaScript SQLite saver reads writes as text: bytes that are not UTF-8 come back as others.',
  },
  {
    code: 'value_unreadable',
    title: 'a stored value cannot be read',
    reason: 'Encrypted and pickled values need the agent’s own code and keys; damaged ones are lost.',
  },
  {
    code: 'checkpoint_unreadable',
    title: 'the newest checkpoint cannot be read',
    reason:
      'Without it nobody but the framework can say what would run; an empty list here does not mean nothing.',
  },
  {
    code: 'checkpoint_missing',
    title: 'the thread has no checkpoint of its outermost graph',
    reason: 'Only writes or subgraphs are stored: a resume finds nothing and asks for input.',
  },
  {
    code: 'old_layout',
    title: 'the checkpoint has an old layout',
    reason: 'Python before April 2025 named channels and computed task ids otherwise (layouts 1 and 2).',
  },
  {
    code: 'route_not_stored',
    title: 'what follows a node is not in the store',
    reason: 'Layouts before 3 store that a node has finished, and not which nodes its edges lead to.',
  },
  {
    code: 'separate_subgraph_state',
    title: 'a subgraph keeps a state of its own',
    reason:
      'A subgraph compiled with checkpointer: true goes on where it stood, whatever the outer graph does.',
  },
  {
    code: 'wal_missing',
    title: 'the file was last written in WAL mode and its -wal is not here',
    reason:
      'That is usual after a clean close; after a crash the newest rows are in the -wal: bring it along.',
  },
  {
    code: 'unclean_close',
    title: 'a process ended without closing the file',
    reason: 'Rows were read from the -wal that it left; it is still there, as it was.',
  },
  {
    code: 'file_in_use',
    title: 'another process has the file open',
    reason: 'This is one moment’s view; a task shown as not finished may be running right now.',
  },
  {
    code: 'database_in_use',
    title: 'others are connected to the database',
    reason: 'This is one moment’s view; a task shown as not finished may be running right now.',
  },
  {
    code: 'read_from_standby',
    title: 'the server is a standby',
    reason: 'A standby follows its primary: the newest rows may be missing.',
  },
  {
    code: 'history_not_kept',
    title: 'the saver keeps only the newest checkpoint',
    reason: 'Forks, discarded work and steps in between leave nothing to be seen.',
  },
] as const satisfies readonly WarningRule[]

export type WarningCode = (typeof WARNINGS)[number]['code']

export function warning(
  code: WarningCode,
  message: string,
): CheckpointWarning & { readonly code: WarningCode } {
  return { code, message }
}
