-- Sends the request that stands in the file named after `--`; every mark in it becomes a number no other request has.
local mark = '@@COUNTER@@@'
local threads = 0

function setup(thread)
  thread:set('thread_number', threads)
  threads = threads + 1
end

function init(arguments)
  local file = assert(io.open(arguments[1], 'rb'))
  local text = file:read('*a')
  file:close()
  run_number = tonumber(arguments[2])
  sent = 0
  parts = {}
  local from = 1
  while true do
    local at = text:find(mark, from, true)
    if not at then break end
    parts[#parts + 1] = text:sub(from, at - 1)
    parts[#parts + 1] = mark
    from = at + #mark
  end
  parts[#parts + 1] = text:sub(from)
end

function request()
  if #parts == 1 then return parts[1] end
  local number = string.format('%03d%01d%08d', run_number, thread_number, sent)
  sent = sent + 1
  for position = 2, #parts, 2 do parts[position] = number end
  return table.concat(parts)
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\nRESULT {"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"max":%d,"refused":%d,"socketErrors":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency.max,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
