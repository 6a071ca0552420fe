"""What terminals take for colours (ECMA-48, Select Graphic Rendition)."""


class AnsiCodes:
    RESET, BOLD, UNDERLINE = "\033[0m", "\033[1m", "\033[4m"
    BLACK_BACKGROUND, RED_BACKGROUND, GREEN_BACKGROUND, YELLOW_BACKGROUND = (f"\033[{40 + i}m" for i in range(4))
    BLUE_BACKGROUND, MAGENTA_BACKGROUND, CYAN_BACKGROUND, WHITE_BACKGROUND = (f"\033[{44 + i}m" for i in range(4))
    BLACK_FOREGROUND, RED_FOREGROUND, GREEN_FOREGROUND, YELLOW_FOREGROUND = (f"\033[{30 + i}m" for i in range(4))
    BLUE_FOREGROUND, MAGENTA_FOREGROUND, CYAN_FOREGROUND, WHITE_FOREGROUND = (f"\033[{34 + i}m" for i in range(4))
    CLEAR_SCREEN = "\033[2J"
