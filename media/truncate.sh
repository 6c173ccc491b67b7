#!/bin/sh
# Deletes old rows from time series indices of a metadata service (DataHub), one index after the other.
# It runs unattended, so read it first, and change it as you like.
#   sh truncate.sh               counts what it would delete, and deletes nothing
#   EXECUTE=yes sh truncate.sh   deletes
# The access token is in the file DATAHUB_GMS_TOKEN_FILE or in DATAHUB_GMS_TOKEN. Its user needs the privileges
# "Truncate timeseries aspect index size API" and "Get ES task status API". DataHub's cleanup runs at 01:00 UTC.
# Exit codes (the highest wins):
#   0 done, or only counted          3 suspicious, nothing was started   6 rows to keep are missing, the rest is skipped
#   1 wrong usage or settings        4 ended early, rows are left        75 another run holds the lock
#   2 refused, the rest is skipped   5 not known, as after a lost answer

GMS_URL='https://datahub.example.com/api/gms'
# Entity type, aspect, days to keep, most rows to delete in one run, and the rows to keep when this script was made.
INDICES='
dataset operation 90 62348 114032
'
MAX_PERCENT=20 # of the rows of an index, in one run
# Pipelines start over without their checkpoints, so an index of checkpoints is only truncated if it is named here.
STATE_INDICES=''
# Holds the lock, the rows that the last run counted, and deletions whose end no run has seen.
STATE_DIR=${STATE_DIR:-${HOME:+$HOME/.truncate-datahub.example.com}}
MAX_HOURS=20    # Nothing is started or watched after that; an hour later, the next run can take over the lock.
PAUSE=5         # Seconds between two requests. Each copy of an index shows deletions late, usually within 30 seconds.
BATCH_SIZE=5000 # Rows that the search cluster deletes at a time. Most clusters refuse more than 10000.

[ -z "${ZSH_VERSION-}" ] || emulate sh
set -u; umask 077; export LC_ALL=C; unset IFS token loopback # A variable that was exported would stay so.
newline=$(printf '\n.'); newline=${newline%.}
now() { date +%s; }; in_time() { [ "$(now)" -lt $deadline ]; }
remember() { { say "$1 $2" >"$record.new" && mv "$record.new" "$record"; } || return 1; } # Never half of it
say() { printf '%s\n' "$*"; }; fail() { say "$2" >&2; exit "$1"; }

case ${1-} in
  -h | --help) sed -n '2,/^$/s/^# \{0,1\}//p' "$0"; exit 0 ;;
  ?*) fail 1 "Unknown argument. See --help." ;;
esac
say "$INDICES" | awk -v name='^[A-Za-z][A-Za-z0-9_.-]*$' -v state=" $STATE_INDICES " '
  function problem(text) { print text ": " $0; bad = 1 }
  NF == 0 { next } { lines++ }
  NF != 5 || $1 !~ name || $2 !~ name || $3 !~ /^[1-9][0-9]?[0-9]?[0-9]?$/ || $4 $5 ~ /[^0-9]/ || $5 == 0 {
    problem("Not an entity type, an aspect, 1 to 9999 days, and two numbers of rows") }
  seen[tolower($1 "/" $2)]++ { problem("Listed twice") }
  tolower($2) ~ /checkpoint/ && !index(state, " " $1 "/" $2 " ") { problem("Checkpoints, not named in STATE_INDICES") }
  END { if (!lines) problem("No index"); exit bad }' >&2 || exit 1
token=${DATAHUB_GMS_TOKEN-} file=${DATAHUB_GMS_TOKEN_FILE-}
unset DATAHUB_GMS_TOKEN # Otherwise, each command below would inherit it.
[ -z "$file" ] || token=$(cat "$file") || fail 1 "The file of the access token can't be read."
case $token in '' | *[!A-Za-z0-9._~+/=-]*) fail 1 "The access token is missing or isn't one. See --help." ;; esac
[ -n "$STATE_DIR" ] || fail 1 "Neither STATE_DIR nor HOME is set."

# One run at a time: only one can create the folder. A killed run leaves it, and one later run can take it over.
started=$(now) deadline=$(($(now) + MAX_HOURS * 3600)) lock=$STATE_DIR/lock
{ mkdir -p "$STATE_DIR" && [ -w "$STATE_DIR" ]; } || fail 1 "STATE_DIR can't be written: $STATE_DIR"
if ! mkdir "$lock" 2>/dev/null; then
  since='' owner=''; read -r since owner 2>/dev/null <"$lock/since"
  case "$since $owner" in ' '* | 0* | *[!0-9\ ?]* | ????????????????????*) # bash would run commands in such a number.
    say "$started ?" >"$lock/since" || fail 1 "$lock/since can't be written."; fail 75 "Another run starts." ;; esac
  { [ "$started" -ge $((since + MAX_HOURS * 3600 + 3600)) ] && mkdir "$lock/after-$since" 2>/dev/null; } ||
    fail 75 "Another run, process $owner, has held $lock since $since (Unix time)."
fi
say "$started $$" >"$lock/since" || { rm -r "$lock"; fail 1 "$lock/since can't be written."; }
trap 'read -r since owner <"$lock/since"; case "$since $owner" in "$started $$" | *" ?") rm -r "$lock" ;; esac' EXIT
trap 'exit 5' HUP INT TERM; trap '' PIPE # A lost reader of the log ends nothing.

# Sends action $1 with body $2, and sets code (000 without an answer), clock (the server's Unix time, or 0) and value
# (without an answer, curl's last error). Every user can see the arguments of a process, so curl reads the token from
# echo, which every shell has built in, unlike printf. It follows no redirect, and reaches this machine without a proxy.
case $GMS_URL/ in *://localhost[:/]* | *://127.0.0.1[:/]* | *://\[::1\][:/]*) loopback=localhost,127.0.0.1,::1 ;; esac
post() {
  answer=$({ { echo "header = \"Authorization: Bearer $token\"" | curl -q --config - --silent --show-error --include \
    --globoff --suppress-connect-headers --proto '=https,http' ${loopback:+--noproxy "$loopback"} --connect-timeout 10 \
    --max-time 300 --max-filesize 1000000 --header 'Content-Type: application/json' --data "$2" \
    --write-out '\n%{http_code}' "$GMS_URL/operations?action=$1" || printf '\n000'; } 2>&3 | awk '
    { sub(/\r$/, "") }
    /^HTTP\// && body last == "" { head = 1 }
    head && tolower($1) == "date:" { # Date: Thu, 26 Nov 2026 03:30:00 GMT. Unreadable, it differs by decades.
      month = (index("MarAprMayJunJulAugSepOctNovDecJanFeb", $4) - 1) / 3; year = $5 - (month > 9)
      days = 365 * year + int(year / 4) + int((153 * month + 2) / 5) + $3 - 719484
      clock = $3 $5 ~ /^[0-9]+$/ ? days * 86400 + substr($6, 1, 2) * 3600 + substr($6, 4, 2) * 60 + substr($6, 7, 2) : 1
    }
    head { head = NF > 0; next }
    { if (length(body) < 99999) body = body substr(last, 1, 99999); last = $0 }
    END {
      if (!sub(/^ *[{] *"value" *: *"/, "", body) || !sub(/" *[}] *$/, "", body))
        body = last != 200 && match(body, /"message" *: *"[^"]*"/) ? substr(body, RSTART, RLENGTH) : ""
      gsub(/[^ -~]/, "?", body)
      printf "%s %.0f %s", last, clock, body
    }'; } 3>&1)
  errors=${answer%"$newline"*} answer=${answer##*"$newline"} # The errors come first: awk prints one line, at the end.
  code=${answer%% *} answer=${answer#* }
  clock=${answer%% *} value=${answer#* }
  [ "$code" != 000 ] || value=$(say "$errors" | awk '/curl: / { e = $0 } END { gsub(/[^ -~]/, "?", e); print e }')
  case $value in *"$token"*) value= ;; *) value=$(printf %.2000s "$value") ;; esac # A server or proxy can repeat it.
}

# Asks for the deletion of the rows up to $1 (Unix time in ms). $2 is true for a dry run.
truncate() {
  post truncateTimeseriesAspect "{\"entityType\":\"$entity\",\"aspect\":\"$aspect\",\"endTimeMillis\":$1,\"dryRun\":$2,\
\"batchSize\":$BATCH_SIZE,\"forceDeleteByQuery\":true}"
}

# Sets rows (up to $1) and total by a dry run, which is safe to repeat. Only text known word for word counts, since a
# server that ignores the flag would announce a reindex, which can hide rows for good.
count() {
  for _ in 1 2 3 4; do
    truncate "$1" true
    case $code in 000 | 408 | 42[159] | 5*) sleep "$PAUSE" ;; *) break ;; esac
  done
  number='(0|[1-9][0-9]{0,14})' share='\((NaN|[0-9]+([.,][0-9]+)?)%\)'
  rest='Issuing a delete by query request\. This was a dry run\. Run with dryRun = false to execute\.'
  counts=$(say "$value" | sed -nE "s/^Delete $number out of $number rows $share\. $rest\$/\1 \2/p")
  rows=${counts% *} total=${counts#* } problem="HTTP $code: $value"
  case $code:$counts:$value in
    200:[0-9]*) return 0 ;;
    000* | 408* | 42[159]* | 5*) problem="not counted, $problem"; return 5 ;;
    200::'please only set '* | [34]*) problem="refused, $problem"; return 2 ;;
    *) problem="not understood, $problem"; return 3 ;;
  esac
}

# Waits for the end of the task, or until its status can't be read any more. It is JSON in JSON in JSON.
follow() {
  misses=0
  while [ $misses -lt 120 ] && in_time; do
    sleep "$PAUSE"; post getEsTaskStatus "{\"task\":\"$task\"}"
    status=$(say "$value" | sed 's/\\\(["\\/]\)/\1/g; s/\\\(["\\/]\)/\1/g')
    case $code$status in 200*'"completed":true'*) say "$status"; return ;; 200*'"completed":false'*) misses=0 ;;
      [05]*) misses=$((misses + 1)) ;; *) misses=$((misses + 40)) ;; esac
  done
}

# Decides by what searches find, since they show an end later than the task does, and a sum of deleted rows proves
# nothing: no row up to the cutoff, and all rows to keep, five times in a row.
judge() {
  clean=0 short=0 still=0 odd=0 least=$rows
  while [ $clean -lt 5 ] && [ $short -lt 24 ] && [ $still -lt 120 ] && in_time; do
    sleep "$PAUSE"; still=$((still + 1))
    { count "$moment" && kept=$rows && count "$cutoff"; } || { odd=1; continue; }
    kept=$((kept - rows))
    if [ "$rows" -lt "$least" ]; then least=$rows still=0 odd=0; fi
    if [ $kept -lt $keep ]; then short=$((short + 1)) clean=0 odd=1
    elif [ "$rows" = 0 ]; then clean=$((clean + 1)) short=0 odd=1
    else clean=0 short=0; fi
  done
  case $clean:$short:$still:$odd in
    5:*) problem="done"; remember "$total" - ;;
    [0-4]:24:*) problem="only $kept of $keep rows to keep are found"; remember "$all" missing; return 6 ;;
    *:120:0) problem="ended early"; return 4 ;;
    *) problem="end not known: no time left, copies of the index disagree, or counting failed"; return 5 ;;
  esac
}

# Truncates one index. Returns its exit code, and says why in problem.
truncate_index() {
  record=$STATE_DIR/$entity,$aspect last=$reviewed task=-
  [ ! -f "$record" ] || read -r last task <"$record" || last=
  case $last in '' | *[!0-9]*) problem="$record can't be read"; return 3 ;; esac
  cutoff=$((started - days * 86400))000 moment=$(now)000
  count "$cutoff" || return
  before=$rows all=$total
  count "$moment" || return
  keep=$((rows - before)) rows=$before skew=$((clock - $(now)))
  problem="this clock and the server's Date header differ, now or when this run started, by ${skew#-} seconds"
  [ "$clock" = 0 ] || { [ ${skew#-} -le 300 ] && [ $((started - clock)) -le 300 ]; } || return 3
  [ "$clock$unchecked" != 0 ] || { unchecked=yes; say "The server sends no Date header: this clock isn't checked."; }
  problem="fewer than half of the $last rows counted before; if that is right, write \"$all $task\" into $record"
  [ "$all" -gt 0 ] && [ $((all * 2)) -ge "$last" ] || return 3
  [ "$task" != missing ] || { problem="rows to keep were missing; once they are back, remove $record"; return 6; }
  # An earlier deletion may still run, such as one whose answer was lost. Then this run only waits for its end.
  case ${EXECUTE-}:$task in yes:-) looks=8 ;; yes:sent) looks=24 ;; yes:*) looks=24; follow ;; *) looks=0 ;; esac
  while [ "$rows" != 0 ] && [ $looks -gt 0 ]; do
    sleep "$PAUSE"; looks=$((looks - 1))
    count "$cutoff" || return
    [ "$rows" -ge "$before" ] || { judge; result=$?; problem="an earlier deletion: $problem"; return $result; }
  done
  keep=$((keep - rows + before)) before=$rows all=$total # Searches may have begun to show more old rows.
  problem="above the limit of $most rows or $MAX_PERCENT percent"
  [ "$rows" -le "$most" ] && [ $((rows * 100)) -le $((all * MAX_PERCENT)) ] || return 3
  remember "$all" "$task" || { problem="$record can't be written"; return 3; }
  [ "${EXECUTE-}" = yes ] || { problem="dry run only"; return 0; }
  [ "$rows" != 0 ] || [ "$task" = - ] || { judge; return; }
  [ "$rows" != 0 ] || { problem="nothing to delete"; remember "$all" -; return; }
  { in_time && remember "$all" sent; } || { problem="no time left, or $record can't be written"; return 3; }
  truncate "$cutoff" false # Once. Repeated, a second deletion could run beside the first.
  case $code:$value in
    200:*' '* | 3* | 40[0-79]* | 4[13-9]* | 42[02-46-9]*)
      remember "$all" -; problem="refused, HTTP $code: $value"; return 2 ;;
    200:*) task=$(say "$value" | sed -nE '/^[A-Za-z0-9_.:-]{1,200}$/p') ;;
    *) task= ;;
  esac
  say "$entity/$aspect: HTTP $code, task ${task:-not known${value:+: $value}}"
  [ -z "$task" ] || { remember "$all" "$task"; follow; }
  judge; result=$?
  [ -n "$task" ] || [ $result = 6 ] || { problem="the answer was lost; $problem"; result=5; }
  return $result
}

worst=0 stopped='' unchecked=''; set --
for word in $INDICES; do # No here-document: it would be empty while the disk is full.
  set -- "$@" "$word"; [ $# = 5 ] || continue
  entity=$1 aspect=$2 days=$3 most=$4 reviewed=$5 before='' all='' rows='' total='' problem='skipped'; set --
  [ -n "$stopped" ] || { truncate_index; result=$?; }
  say "$entity/$aspect: ${before:-?} of ${all:-?} rows before, ${rows:-?} of ${total:-?} after: $problem"
  [ "$result" -le "$worst" ] || worst=$result
  case $result in 2 | 6) stopped=yes ;; esac
done
exit "$worst"
