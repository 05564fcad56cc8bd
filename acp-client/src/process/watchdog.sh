# Ends process groups when their program is gone. The program writes a line for each group: "+7" is an agent, "=7" is a
# command, "-7" is over. The input ends with the program, even if the program was killed.
trap '' HUP INT TERM
agents=' ' commands=' '
without() {
    case $1 in
        *" $2 "*) rest="${1%% "$2" *} ${1#* "$2" }" ;;
        *) rest=$1 ;;
    esac
}
while read -r line; do
    group=${line#?}
    case $line in
        +*) agents="$agents$group " ;;
        =*) commands="$commands$group " ;;
        *)
            without "$agents" "$group" && agents=$rest
            without "$commands" "$group" && commands=$rest
            ;;
    esac
done
tell() { for group in $2; do kill -s "$1" -- "-$group" 2>/dev/null; done; }
# Lists "group" for each group that has a process, and "group!" if the leader is one of them. Processes that have ended
# and are not reaped do not count; only Linux tells.
list() {
    running=' '
    for stat in /proc/[0-9]*/stat; do
        read -r line 2>/dev/null <"$stat" || continue
        id=${line%% *} line=${line##*) }
        case $line in [ZX]*) continue ;; esac
        line=${line#* } line=${line#* }
        group=${line%% *}
        [ "$id" = "$group" ] && group="$group $group!"
        running="$running$group "
    done
}
# Waits two to three seconds for the groups in $left, and keeps those that live on. If a group has lost its leader, nobody in it
# waits for the end of an input, so it is told to end.
wait_for_end() {
    end=$(($(date +%s) + 2))
    while [ "$(date +%s)" -le "$end" ]; do
        [ -d /proc/self ] && list
        living=' '
        for group in $left; do
            kill -s 0 -- "-$group" 2>/dev/null || continue
            case ${running-" $group $group! "} in
                *" $group! "*) ;;
                *" $group "*) kill -s TERM -- "-$group" 2>/dev/null ;;
                *) kill -s KILL -- "-$group" 2>/dev/null && continue ;;
            esac
            living="$living$group "
        done
        left=$living
        [ "$left" = ' ' ] && exit
        sleep 0.1 2>/dev/null || sleep 1
    done
}
tell TERM "$commands"
left="$agents$commands"
wait_for_end
tell TERM "$left"
wait_for_end
tell KILL "$left"
