/// What terminals are shown of `ChartFixture.everything`.
enum TerminalGolden {
    static let narrow = """
        A day
        seed 1
        Mon 30 Nov 2026 00:00 to Tue 1 Dec 2026 00:00, UTC

        phone, policy apple
                                  Mon 30 Nov
        local time, UTC           00:00   06:00    12:00   18:00
                                  +-------+--------+-------+-------|
        external power            ==
        Low Power Mode             ==
        device idle                 ===
        no network                    ==
        metered network                ===
        window for work                  ==
        not yet unlocked                  ==
        refresh switched off               ===
        too warm                             ==
        device off                            ===
        app opened                O 00:30
        force quit                  Q 01:30
        push sent                    S 02:30
        push delivered                D 03:30
        push discarded                  X 04:30
        push superseded                  N 05:30
        fetch                              F 06:30
        transfer                            T 07:30
        reboot                                R 08:30
        unlocked                               U 09:30
        OS upgrade                              V 10:30
        clock set                                 C 11:30
        crash                                      ! 12:30
        com.example.app.refresh               [uuuuuuu[ffffffffffff>
         2 asked, 1 granted        14:20 after 5h 35m *
        com.example.app.backup                [~~~~%    !  [---[--
         4 asked, 2 granted                    20:00 after 2h E  *

        asked    [ asked   % withdrawn   > still pending   ! refused
        granted  * succeeded   E expired   2 to 9 so many   + more
        held by  e earliestBeginDate   f forceQuit   n network
                 u usage   ~ held, but when is not known

        """
    static let usual = """
        A day
        seed 1
        Mon 30 Nov 2026 00:00 to Tue 1 Dec 2026 00:00, UTC

        phone, policy apple
                                  Mon 30 Nov
        local time, UTC           00:00    04:00    08:00    12:00    16:00    20:00
                                  ┬────────┬────────┬────────┬────────┬────────┬───────┼
        external power            ▆▆▆
        Low Power Mode              ▆▆▆
        device idle                   ▆▆▆
        no network                      ▆▆▆
        metered network                    ▆▆▆
        window for work                      ▆▆▆
        not yet unlocked                       ▆▆▆
        refresh switched off                     ▆▆▆
        too warm                                    ▆▆▆
        device off                                    ▆▆▆
        app opened                 O 00:30
        force quit                   Q 01:30
        push sent                      S 02:30
        push delivered                   D 03:30
        push discarded                      X 04:30
        push superseded                       N 05:30
        fetch                                   F 06:30
        transfer                                  T 07:30
        reboot                                       R 08:30
        unlocked                                       U 09:30
        OS upgrade                                       V 10:30
        clock set                                          C 11:30
        crash                                                 ! 12:30
        com.example.app.refresh                      ▸uuuuuuuuuuuu▸─fffffffffffffffffff»
         2 asked, 1 granted                                       ✓ 14:20 after 5h 35m
        com.example.app.backup                        ▸~~~~~~×        ∅   ▸────  ▸──
         4 asked, 2 granted                                     20:00 after 2h E   ✓

        asked    ▸ asked   × withdrawn   » still pending   ∅ refused
        granted  ✓ succeeded   E expired   2 to 9 so many   + more
        held by  e earliestBeginDate   f forceQuit   n network   u usage
                 ~ held, but when is not known

        """
}
